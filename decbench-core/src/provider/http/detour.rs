//! Calling through a proxy.

use reqwest::{NoProxy, Proxy};

use crate::provider::service::ConnectError;

/// A way out of a network that does not let its machines call others themselves.
///
/// Only encrypted calls go through it, so that it sees the host and nothing else.
#[derive(Default)]
pub(super) struct Detour {
    /// Its address; may hold a password.
    proxy: Option<String>,
    /// Hosts that are called directly.
    except: Option<String>,
}

impl Detour {
    /// What the usual variables say, looked up in either case.
    pub(super) fn from_variables(variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let first = |names: &[&str]| {
            names
                .iter()
                .find_map(|name| variable(name).filter(|value| !value.is_empty()))
        };
        Self {
            proxy: first(&["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]),
            except: first(&["NO_PROXY", "no_proxy"]),
        }
    }

    /// The proxy, if there is one.
    ///
    /// # Errors
    ///
    /// When its address is none; it is not repeated.
    pub(super) fn proxy(&self) -> Result<Option<Proxy>, ConnectError> {
        let Some(address) = &self.proxy else {
            return Ok(None);
        };
        let proxy = Proxy::https(address).map_err(|_| {
            ConnectError::Other("the variable HTTPS_PROXY holds no address of a proxy".to_owned())
        })?;
        let except = self.except.as_deref().and_then(NoProxy::from_string);
        Ok(Some(proxy.no_proxy(except)))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::decision::FailureKind;
    use crate::provider::clock::Clock;
    use crate::provider::endpoint::Endpoint;
    use crate::provider::http::client::Http;
    use crate::provider::service::Outside;

    #[test]
    fn encrypted_calls_take_the_detour_and_its_password_stays_unseen() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let proxy = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a caller");
            let mut asked = String::new();
            BufReader::new(&stream)
                .read_line(&mut asked)
                .expect("a request");
            let refusal = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n";
            stream.write_all(refusal).expect("a caller that listens");
            asked
        });
        let variable =
            |name: &str| (name == "HTTPS_PROXY").then(|| format!("http://user:canary@{address}"));
        let outside = Outside {
            variable: &variable,
            clock: Clock::new(SystemTime::now),
            folder: std::path::Path::new(""),
        };
        let endpoint = Endpoint::join("https://service.example", "/v1").expect("an address");
        let http =
            Http::new(&endpoint, None, &[], Duration::from_secs(5), &outside).expect("a client");
        let attempt = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime")
            .block_on(http.post(b"{}"))
            .err()
            .expect("a proxy that refuses");
        let asked = proxy.join().expect("no panic");
        assert!(asked.starts_with("CONNECT service.example:443 "), "{asked}");
        assert_eq!(attempt.failure.kind, FailureKind::Connect);
        assert!(!attempt.failure.message.contains("canary"), "{attempt:?}");
    }

    #[test]
    fn an_address_that_is_none_is_told_and_not_repeated() {
        let detour = Detour::from_variables(&|name| {
            (name == "all_proxy").then(|| "http://canary@[".to_owned())
        });
        let error = detour.proxy().expect_err("no address");
        assert!(!error.to_string().contains("canary"), "{error}");
    }
}
