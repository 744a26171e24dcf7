//! What attributes and `main!` expand to; here the crate's features are known.

/// Makes a test target run the suites in `tests/suites`, or in the folder that is given.
///
/// The target has `harness = false` in `Cargo.toml`; where that is missing, a test fails with the lines to paste.
///
/// ```ignore
/// use my_app as _;
///
/// decbench::main!();
/// // or: decbench::main!("tests/decisions");
/// ```
#[cfg(feature = "test")]
#[macro_export]
macro_rules! main {
    () => {
        $crate::main!("tests/suites");
    };
    ($folder:expr $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            $crate::__private::main($crate::__private::Setup {
                manifest_dir: ::core::env!("CARGO_MANIFEST_DIR"),
                target_tmpdir: ::core::option_env!("CARGO_TARGET_TMPDIR"),
                package: ::core::env!("CARGO_PKG_NAME"),
                test_target: $crate::__private::target_of(
                    ::core::file!(),
                    ::core::env!("CARGO_CRATE_NAME"),
                ),
                folder: $folder,
                compare_snapshot: $crate::__compare_snapshot!(),
            })
        }

        // The path, because `use decbench::test` takes the short name away.
        #[::core::prelude::v1::test]
        fn decbench_needs_harness_false() {
            $crate::__private::needs_harness_false(
                ::core::file!(),
                ::core::env!("CARGO_CRATE_NAME"),
            );
        }
    };
}

/// Makes a test target run its suites; needs the feature `test`.
#[cfg(not(feature = "test"))]
#[macro_export]
macro_rules! main {
    ($($folder:tt)*) => {
        ::core::compile_error!(
            "`decbench::main!` needs the feature `test` of decbench: let [dev-dependencies] have its default features"
        );
    };
}

/// Compares a text with its snapshot: insta wants to be expanded where the snapshots are.
#[cfg(feature = "test")]
#[doc(hidden)]
#[macro_export]
macro_rules! __compare_snapshot {
    () => {
        |request| {
            request.compare_with(|name, text| {
                $crate::__private::insta::assert_snapshot!(name, text);
            })
        }
    };
}

/// Registers a function.
#[cfg(feature = "test")]
#[doc(hidden)]
#[macro_export]
macro_rules! __provider {
    (
        name: $name:expr,
        line: $line:expr,
        recorded: $recorded:expr,
        question: $question:expr,
        sync: $function:ident,
        takes: $takes:tt,
        returns: $returns:ty $(,)?
    ) => {
        fn __decbench_call(request: $crate::Request<'_>) -> $crate::Answers {
            $crate::__call!(request, $function $takes [] -> $returns)
        }

        $crate::__register!($name, $line, $recorded, $question, Sync);
    };
    (
        name: $name:expr,
        line: $line:expr,
        recorded: $recorded:expr,
        question: $question:expr,
        async: $function:ident,
        takes: $takes:tt,
        returns: $returns:ty $(,)?
    ) => {
        fn __decbench_call<'a>(
            request: $crate::Request<'a>,
        ) -> $crate::__private::BoxFuture<'a, $crate::Answers> {
            ::std::boxed::Box::pin(async move {
                $crate::__call!(request, $function $takes [.await] -> $returns)
            })
        }

        $crate::__register!($name, $line, $recorded, $question, Async);
    };
}

/// Registers a function.
#[cfg(not(feature = "test"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __provider {
    ($($registration:tt)*) => {};
}

/// Submits the function beside this macro.
#[cfg(feature = "test")]
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($name:expr, $line:expr, $recorded:expr, $question:expr, $body:ident) => {
        $crate::__private::inventory::submit! {
            $crate::__private::RustFunction::new(
                $name,
                ::core::module_path!(),
                $crate::__private::Body::$body(__decbench_call),
            )
            .at(::core::file!(), $line)
            .recorded($recorded)
            .answering($question)
        }
    };
}

/// Calls a function with what it takes and reads what it returns.
#[cfg(feature = "test")]
#[doc(hidden)]
#[macro_export]
macro_rules! __call {
    ($request:ident, $function:ident () [$($await:tt)*] -> $returns:ty) => {{
        let _ = $request;
        <$returns as $crate::IntoAnswers>::into_answers($function() $($await)*)
    }};
    ($request:ident, $function:ident (&$lent:ty) [$($await:tt)*] -> $returns:ty) => {
        match $crate::__private::hold::<$lent>($request) {
            ::core::result::Result::Ok(held) => {
                <$returns as $crate::IntoAnswers>::into_answers($function(held.lend()) $($await)*)
            }
            ::core::result::Result::Err(failure) => $crate::Answers::failed(failure),
        }
    };
    ($request:ident, $function:ident ($given:ty) [$($await:tt)*] -> $returns:ty) => {
        match $crate::__private::give::<$given>($request) {
            ::core::result::Result::Ok(given) => {
                <$returns as $crate::IntoAnswers>::into_answers($function(given) $($await)*)
            }
            ::core::result::Result::Err(failure) => $crate::Answers::failed(failure),
        }
    };
}

/// Registers a suite that an attribute names.
#[cfg(feature = "test")]
#[doc(hidden)]
#[macro_export]
macro_rules! __suite {
    (
        suite: $suite:expr,
        candidate: $candidate:expr,
        function: $function:expr,
        items: [$($item:expr),*],
        line: $line:expr $(,)?
    ) => {
        $crate::__private::inventory::submit! {
            $crate::__private::EmbeddedSuite {
                manifest_dir: ::core::env!("CARGO_MANIFEST_DIR"),
                path: $suite,
                candidate: $candidate,
                function: ::core::concat!(::core::module_path!(), "::", $function),
                items: &[$(::core::concat!(::core::module_path!(), "::", $item)),*],
                file: ::core::file!(),
                line: $line,
            }
        }
    };
}

/// Registers a suite that an attribute names.
#[cfg(not(feature = "test"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __suite {
    ($($registration:tt)*) => {};
}

/// Registers a suite that an attribute writes.
#[cfg(feature = "test")]
#[doc(hidden)]
#[macro_export]
macro_rules! __written_suite {
    (
        answers: $answers:ty,
        name: $name:expr,
        line: $line:expr,
        items: [$($item:expr),*],
        parts: { $($key:ident $text:expr, $part_line:expr, $column:expr, $length:expr;)* } $(,)?
    ) => {
        $crate::__private::inventory::submit! {
            $crate::__private::WrittenSuite {
                manifest_dir: ::core::env!("CARGO_MANIFEST_DIR"),
                file: ::core::file!(),
                answers: $crate::__private::rust_type::<$answers>($name, "", ::core::file!(), $line),
                items: &[$(::core::concat!(::core::module_path!(), "::", $item)),*],
                parts: &[$(
                    $crate::__private::WrittenPart {
                        key: $crate::__private::PartKey::$key,
                        text: $text,
                        place: ($part_line, $column),
                        length: $length,
                    }
                ),*],
            }
        }
    };
}

/// Registers a suite that an attribute writes.
#[cfg(not(feature = "test"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __written_suite {
    ($($registration:tt)*) => {};
}

/// What only tests need; the tokens keep their places, at which the compiler shows mistakes.
#[cfg(feature = "test")]
#[doc(hidden)]
#[macro_export]
macro_rules! __tested {
    ($($tokens:tt)*) => { $($tokens)* };
}

/// What only tests need.
#[cfg(not(feature = "test"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __tested {
    ($($tokens:tt)*) => {};
}

/// Makes a type an answer of functions, and registers it for suites that name it.
#[cfg(feature = "test")]
#[doc(hidden)]
#[macro_export]
macro_rules! __options {
    (name: $name:expr, line: $line:expr, of: $of:ident $(,)?) => {
        #[automatically_derived]
        impl $crate::IntoDecision for $of {
            fn into_decision(self) -> $crate::Decision {
                $crate::__private::decide(&self)
            }
        }

        $crate::__private::inventory::submit! {
            $crate::__private::rust_type::<$of>(
                $name,
                ::core::module_path!(),
                ::core::file!(),
                $line,
            )
        }
    };
}

/// Makes a type an answer of functions.
#[cfg(not(feature = "test"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __options {
    ($($registration:tt)*) => {};
}

/// Names the numbers by which production decides, so that suites assert those very numbers.
///
/// Each is a constant of the type [`Threshold`](crate::Threshold), [`Margin`](crate::Margin) or
/// [`Timeout`](crate::Timeout). A suite asserts it by its name:
///
/// ```yaml
/// assert:
///   selective_accuracy: { policy: AUTO_ROUTE, at_least: 98% }   # of what is decided without a person
///   latency.p95: { policy: ROUTE_WITHIN }                       # at most the timeout
/// ```
///
/// ```
/// use std::time::Duration;
///
/// decbench::policy! {
///     /// From here on a call is passed on without a person.
///     pub const AUTO_ROUTE: Threshold = Threshold::new(0.9);
///
///     /// A caller waits no longer; then a person asks.
///     pub const ROUTE_WITHIN: Timeout = Timeout::millis(800).or("no_reason_yet");
/// }
///
/// assert!(AUTO_ROUTE.admits(0.93));
/// assert_eq!(ROUTE_WITHIN.duration(), Duration::from_millis(800));
/// ```
#[macro_export]
macro_rules! policy {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis const $name:ident: $kind:ident = $kind_again:ident::$new:ident($($number:expr),* $(,)?)
            $(.$more:ident($($argument:expr),* $(,)?))*;
    )+) => {$(
        $(#[$attribute])*
        $visibility const $name: $crate::$kind =
            $crate::$kind_again::$new($($number),*)$(.$more($($argument),*))*;

        $crate::__policy! { $kind $name }
    )+};
    ($($other:tt)*) => {
        ::core::compile_error!(
            "a policy is written `pub const AUTO_ROUTE: Threshold = Threshold::new(0.9);`, with `Threshold`, `Margin` or `Timeout`"
        );
    };
}

/// Registers a policy for suites that name it.
#[cfg(feature = "test")]
#[doc(hidden)]
#[macro_export]
macro_rules! __policy {
    (Threshold $name:ident) => {
        $crate::__policy! { threshold, $name }
    };
    (Margin $name:ident) => {
        $crate::__policy! { margin, $name }
    };
    (Timeout $name:ident) => {
        $crate::__policy! { timeout, $name }
    };
    ($number:ident, $name:ident) => {
        const _: () = {
            $crate::__private::inventory::submit! {
                $crate::__private::RustPolicy::new(
                    ::core::stringify!($name),
                    ::core::module_path!(),
                    $crate::__private::$number($name),
                )
                .at(::core::file!(), ::core::line!())
            }
        };
    };
    ($($unknown:tt)*) => {};
}

/// Registers a policy for suites that name it.
#[cfg(not(feature = "test"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __policy {
    ($($registration:tt)*) => {};
}
