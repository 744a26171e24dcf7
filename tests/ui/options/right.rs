#[decbench::provider(name = "router-2", recorded = true, question = "queue", crate = ::decbench,)]
fn router(_: &str) -> bool {
    true
}

#[decbench::provider]
fn plain(_: &str) -> bool {
    true
}

#[decbench::provider(recorded = false)]
fn r#match(_: &str) -> bool {
    true
}

pub(crate) fn main() {
    let mut registered: Vec<String> = decbench::__private::linked_functions()
        .into_iter()
        .filter(|function| function.place().contains("ui/options/"))
        .map(|function| {
            format!(
                "{} {} {:?} line {}",
                function.name(),
                function.is_recorded(),
                function.question(),
                function.place().rsplit(':').next().unwrap_or_default(),
            )
        })
        .collect();
    registered.sort();
    assert_eq!(
        registered,
        [
            "match false None line 12",
            "plain false None line 7",
            "router-2 true Some(\"queue\") line 2",
        ]
    );
    assert!(router("") && plain("") && r#match(""));
}
