//! The page about services says what the tables say.

use std::fmt::Write as _;
use std::path::Path;

use decbench_core::provider::{
    AnsweredBy, Auth, CALL_SETTINGS, COLLECTOR_SETTINGS, CONTEXTS, PLACES, PROVIDERS,
    SERVICE_SETTINGS, SettingKey,
};

const BEGIN: &str =
    "<!-- generated: DECBENCH_BLESS=1 cargo test --test collect documentation -->\n";

#[test]
fn the_page_about_services_is_what_the_tables_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide/services.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (written, _) = page.split_once(BEGIN).expect("the mark");
    let expected = format!("{written}{BEGIN}\n{}", generated());
    if std::env::var_os("DECBENCH_BLESS").is_some() {
        std::fs::write(&path, expected).expect("a writable page");
    } else {
        assert_eq!(page, expected, "bless it as the mark in it says");
    }
}

fn generated() -> String {
    let mut text = String::new();
    for kind in PROVIDERS {
        let _ = writeln!(text, "### `{}`\n\n{}\n", kind.name, kind.about);
        if let AnsweredBy::Service(service) = kind.answered_by
            && let Some(usual) = service.usual
        {
            let _ = writeln!(
                text,
                "- address: `{}{}`\n- key: {}\n- longest attempt: {} s\n",
                usual.base_url,
                usual.path,
                key(usual.auth, usual.key_env),
                usual.timeout.as_secs()
            );
        }
        settings(&mut text, kind.settings);
    }
    text += "### Settings of every call\n\nServices with an address take these too.\n\n";
    settings(&mut text, CALL_SETTINGS);
    text += "### Settings of every service\n\n";
    settings(&mut text, SERVICE_SETTINGS);
    text += "### Settings of the collector\n\nWhatever is recorded takes these too.\n\n";
    settings(&mut text, COLLECTOR_SETTINGS);
    text += "### Where System One is spoken\n\n`system-one` knows these by their `base_url`; a candidate's own settings come first. Prices are in US dollars for a million input tokens.\n\n";
    text += "| service | `base_url` | route | key | price |\n|---|---|---|---|---|\n";
    for place in PLACES {
        let prices = place.prices.iter().map(|(model, price)| match *model {
            "" => price.to_string(),
            model => format!("{model}: {price}"),
        });
        let prices: Vec<String> = prices.collect();
        let _ = writeln!(
            text,
            "| {} | `{}` | `{}` | {} | {} |",
            place.name,
            place.base_url,
            place.path,
            key(place.auth, place.key_env),
            prices.join(", ")
        );
    }
    text += "\n### How much is read of a request\n\nIn tokens, as published on the day in the last column. `[context.\"model\"]` in `decbench.toml` comes before it.\n\n";
    text += "| provider | service | state and all questions | state and the longest question | looked up |\n|---|---|---|---|---|\n";
    for row in CONTEXTS {
        let longest = row.state_and_question.map(|limit| limit.to_string());
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} |",
            row.provider,
            if row.place.is_empty() {
                "the vendor's own"
            } else {
                row.place
            },
            row.request,
            longest.unwrap_or_default(),
            row.at
        );
    }
    text
}

fn key(auth: Auth, variable: &str) -> String {
    match auth {
        Auth::None => "none".to_owned(),
        Auth::Header(header) => format!("`{variable}`, as `{header}`"),
        _ => format!("`{variable}`"),
    }
}

fn settings(text: &mut String, keys: &[SettingKey]) {
    if keys.is_empty() {
        return;
    }
    *text += "| setting | form | what it does |\n|---|---|---|\n";
    for key in keys {
        let form = key.form.replace('|', "\\|");
        let _ = writeln!(text, "| `{}` | `{form}` | {} |", key.name, key.about);
    }
    text.push('\n');
}
