//! The services, one row each.

use std::path::Path;

use serde_json::json;

use crate::bench::Bench;
use crate::support::server::{Act, Contract, Seen, Server};
use crate::support::{gemini_decisions, openai_decisions, sglang_decisions, system_one};

/// A service with the contract that its local server keeps.
pub(super) struct Spoken {
    /// The provider's name in suites.
    pub(super) provider: &'static str,
    /// A model to ask.
    pub(super) model: &'static str,
    /// How the served model is recorded.
    pub(super) served: &'static str,
    pub(super) contract: Contract,
    /// The header with the key; a server without one asks for none.
    pub(super) key_header: Option<&'static str>,
    /// Replies with their outcomes.
    pub(super) replies: &'static str,
}

pub(super) const SERVICES: &[Spoken] = &[
    Spoken {
        provider: "system-one",
        model: "jev-1.13.0",
        served: "jev-1.13.0",
        contract: system_one::CONTRACT,
        key_header: Some("authorization"),
        replies: include_str!("../replies/system-one.json"),
    },
    Spoken {
        provider: "openai-decisions",
        model: "gpt-6-luna",
        served: "gpt-6-luna",
        contract: openai_decisions::CONTRACT,
        key_header: Some("authorization"),
        replies: include_str!("../replies/openai-decisions.json"),
    },
    Spoken {
        provider: "gemini-decisions",
        model: "gemini-decision-1",
        served: "gemini-decision-1 (as requested)",
        contract: gemini_decisions::CONTRACT,
        key_header: Some("x-goog-api-key"),
        replies: include_str!("../replies/gemini-decisions.json"),
    },
    Spoken {
        provider: "sglang-decisions",
        model: "local-chat-8b",
        served: "local-chat-8b",
        contract: sglang_decisions::CONTRACT,
        key_header: None,
        replies: include_str!("../replies/sglang-decisions.json"),
    },
];

impl Spoken {
    pub(super) fn server(&self, behave: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Server {
        Server::speaking(self.contract, behave)
    }

    /// So many cases, asked of this service at the server.
    pub(super) fn bench(&self, folder: &Path, server: &Server, cases: usize) -> Bench {
        let mut bench = Bench::new(folder, server, cases);
        bench.provider = self.provider;
        bench.set("model", json!(self.model));
        bench
    }
}
