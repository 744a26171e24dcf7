//! Chromium through its driver.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, json};

/// `chromedriver` on a port of its own choice, ended with the test.
pub(crate) struct Driver {
    process: Child,
    address: String,
}

impl Driver {
    /// Whether there is one on this machine.
    pub(crate) fn exists() -> bool {
        let version = Command::new("chromedriver").arg("--version").output();
        version.is_ok_and(|said| said.status.success())
    }

    pub(crate) fn start() -> Self {
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let words = BufReader::new(process.stdout.take().expect("a pipe"));
        let port = words
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, rest) = line.split_once("started successfully on port ")?;
                Some(rest.trim_end_matches('.').to_owned())
            })
            .expect("chromedriver says its port");
        Self {
            process,
            address: format!("http://127.0.0.1:{port}"),
        }
    }

    /// A window of this width that prefers this scheme.
    pub(crate) async fn window(&self, width: u32, scheme: &str) -> Client {
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ];
        let mut arguments: Vec<String> = arguments.map(str::to_owned).to_vec();
        // Windows are never narrower than about 500 pixels, so that narrow pages are emulated.
        let mut options = json!({ "mobileEmulation": { "deviceMetrics": { "width": width, "height": 900, "pixelRatio": 1.0, "touch": false } } });
        if scheme == "dark" {
            arguments.push("--blink-settings=preferredColorScheme=0".to_owned());
        }
        options["args"] = json!(arguments);
        let mut capabilities = Map::new();
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&self.address)
            .await
            .expect("a window")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
