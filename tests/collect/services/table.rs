//! The services, one row each.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::bench::Bench;
use crate::support::server::{Act, Contract, Seen, Server};
use crate::support::{
    anthropic_messages, any_service, chat_completions, gemini_decisions, openai_decisions,
    sglang_decisions, system_one,
};

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
    /// How many requests one question takes.
    pub(super) requests: usize,
    /// What else a candidate is told, as JSON.
    pub(super) further: &'static str,
}

pub(super) const SERVICES: &[Spoken] = &[
    Spoken {
        provider: "system-one",
        model: "jev-1.13.0",
        served: "jev-1.13.0",
        contract: system_one::CONTRACT,
        key_header: Some("authorization"),
        replies: include_str!("../replies/system-one.json"),
        requests: 1,
        further: "{}",
    },
    Spoken {
        provider: "openai-decisions",
        model: "gpt-6-luna",
        served: "gpt-6-luna",
        contract: openai_decisions::CONTRACT,
        key_header: Some("authorization"),
        replies: include_str!("../replies/openai-decisions.json"),
        requests: 1,
        further: "{}",
    },
    Spoken {
        provider: "gemini-decisions",
        model: "gemini-decision-1",
        served: "gemini-decision-1 (as requested)",
        contract: gemini_decisions::CONTRACT,
        key_header: Some("x-goog-api-key"),
        replies: include_str!("../replies/gemini-decisions.json"),
        requests: 1,
        further: "{}",
    },
    Spoken {
        provider: "sglang-decisions",
        model: "local-chat-8b",
        served: "local-chat-8b",
        contract: sglang_decisions::CONTRACT,
        key_header: None,
        replies: include_str!("../replies/sglang-decisions.json"),
        requests: 1,
        further: "{}",
    },
];

/// Services that decide in a language or a form of their own, one row each.
pub(super) const MODELS: &[Spoken] = &[
    Spoken {
        provider: "chat-logprobs",
        model: "gpt-4.1-mini-2025-04-14",
        served: "gpt-4.1-mini-2025-04-14",
        contract: chat_completions::CONTRACT,
        key_header: Some("authorization"),
        replies: include_str!("../replies/chat-logprobs.json"),
        requests: 1,
        further: "{}",
    },
    Spoken {
        provider: "vote-share",
        model: "gpt-4.1-mini-2025-04-14",
        served: "gpt-4.1-mini-2025-04-14",
        contract: chat_completions::CONTRACT,
        key_header: Some("authorization"),
        replies: include_str!("../replies/vote-share.json"),
        requests: 5,
        further: "{}",
    },
    Spoken {
        provider: "verbalized",
        model: "gpt-4.1-mini-2025-04-14",
        served: "gpt-4.1-mini-2025-04-14",
        contract: chat_completions::CONTRACT,
        key_header: Some("authorization"),
        replies: include_str!("../replies/verbalized.json"),
        requests: 1,
        further: "{}",
    },
    Spoken {
        provider: "anthropic-messages",
        model: "claude-haiku-5-5",
        served: "claude-haiku-5-5",
        contract: anthropic_messages::CONTRACT,
        key_header: Some("x-api-key"),
        replies: include_str!("../replies/anthropic-messages.json"),
        requests: 1,
        further: "{}",
    },
    Spoken {
        provider: "http",
        model: "mine-3",
        served: "mine-3",
        contract: any_service::CONTRACT,
        key_header: Some("authorization"),
        replies: include_str!("../replies/http.json"),
        requests: 1,
        further: any_service::TEMPLATE,
    },
];

/// Every service.
pub(super) fn all() -> impl Iterator<Item = &'static Spoken> {
    SERVICES.iter().chain(MODELS)
}

impl Spoken {
    pub(super) fn server(&self, behave: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Server {
        Server::speaking(self.contract, behave)
    }

    /// So many cases, asked of this service at the server.
    pub(super) fn bench(&self, folder: &Path, server: &Server, cases: usize) -> Bench {
        let mut bench = Bench::new(folder, server, cases);
        bench.provider = self.provider;
        bench.set("model", json!(self.model));
        let further: Map<String, Value> = serde_json::from_str(self.further).expect("a map");
        bench.settings.extend(further);
        bench
    }
}
