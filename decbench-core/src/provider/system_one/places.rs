//! Services that speak the dialect elsewhere, recognised by their address: their routes, keys, prices and limits.
//!
//! Everything here is only what a candidate need not say; its own settings come first.

use super::settings::USUAL;
use crate::provider::caps::Caps;
use crate::provider::price::Price;
use crate::provider::target::{Auth, Usual};

/// A service that speaks the dialect.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// What people call it.
    pub name: &'static str,
    /// How its address begins; `*` stands for anything.
    pub base_url: &'static str,
    /// Its route; `{model}` stands for the model. Empty where the address is whole already.
    pub path: &'static str,
    /// How it takes the key.
    pub auth: Auth,
    /// The variable that usually holds its key.
    pub key_env: &'static str,
    /// US dollars for a million input tokens, by a part of the model's name; empty where no such price is published.
    /// Output is free everywhere.
    pub prices: &'static [(&'static str, f64)],
    /// What it can be asked at most.
    pub caps: Caps,
    /// Where its form departs from the dialect's.
    pub twist: Twist,
}

/// Where a service's form departs from the dialect's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Twist {
    /// Nowhere.
    None,
    /// The reply is the `result` of an envelope.
    Envelope,
    /// The request names no model.
    NoModel,
    /// A state that is a text goes as `{"text": …}`.
    TextInMap,
}

const CAPS: Caps = Caps {
    questions: None,
    options: (1, 255),
    levels: (2, 10),
    instructions: false,
    both_outcomes: false,
    open: false,
};

const fn place(name: &'static str, base_url: &'static str, key_env: &'static str) -> Place {
    Place {
        name,
        base_url,
        path: USUAL.path,
        auth: Auth::Bearer,
        key_env,
        prices: &[],
        caps: CAPS,
        twist: Twist::None,
    }
}

/// The vendor's own service, and every other whose address is published.
pub const PLACES: &[Place] = &[
    Place {
        prices: &[("", 0.042)],
        ..place("TypeSafe", USUAL.base_url, USUAL.key_env)
    },
    Place {
        caps: Caps {
            instructions: true,
            both_outcomes: true,
            ..CAPS
        },
        ..place(
            "OpenRouter",
            "https://openrouter.ai/api",
            "OPENROUTER_API_KEY",
        )
    },
    place(
        "Vercel AI Gateway",
        "https://ai-gateway.vercel.sh/typesafe",
        "AI_GATEWAY_API_KEY",
    ),
    Place {
        caps: Caps {
            instructions: true,
            ..CAPS
        },
        ..place(
            "DigitalOcean",
            "https://inference.do-ai.run",
            "MODEL_ACCESS_KEY",
        )
    },
    Place {
        path: "/ai/run/@cf/cloudflare/{model}",
        prices: &[("flash", 0.09), ("omni", 0.15), ("clef", 0.24)],
        caps: Caps {
            questions: Some(64),
            options: (2, 255),
            instructions: true,
            ..CAPS
        },
        twist: Twist::Envelope,
        ..place(
            "Cloudflare",
            "https://api.cloudflare.com/client/v4/accounts/*",
            "CLOUDFLARE_API_TOKEN",
        )
    },
    Place {
        path: "/v1/decisions",
        prices: &[("flash", 0.01), ("", 0.02)],
        caps: Caps {
            questions: Some(128),
            ..CAPS
        },
        ..place(
            "Perplexity",
            "https://api.perplexity.ai",
            "PERPLEXITY_API_KEY",
        )
    },
    Place {
        caps: Caps {
            questions: Some(128),
            ..CAPS
        },
        ..place("SubQ", "https://api.subq.ai", "SUBQ_API_KEY")
    },
    Place {
        path: "/v1/scaledown",
        auth: Auth::Header("x-api-key"),
        prices: &[("", 0.05)],
        twist: Twist::TextInMap,
        ..place(
            "ScaleDown",
            "https://api.scaledown.xyz",
            "SCALEDOWN_API_KEY",
        )
    },
    Place {
        prices: &[("", 0.042)],
        caps: Caps {
            options: (1, 208),
            ..CAPS
        },
        ..place(
            "Fireworks",
            "https://api.fireworks.ai/inference",
            "FIREWORKS_API_KEY",
        )
    },
    Place {
        auth: Auth::Header("api-key"),
        prices: &[("", 0.042)],
        ..place(
            "Microsoft Foundry",
            "https://*.services.ai.azure.com/providers/microsoft",
            "AZURE_API_KEY",
        )
    },
    Place {
        path: "",
        ..place(
            "Databricks",
            "https://*/serving-endpoints/*/invocations",
            "DATABRICKS_TOKEN",
        )
    },
    Place {
        path: "/v1/decisions",
        auth: Auth::Header("x-api-key"),
        caps: Caps {
            questions: Some(100),
            ..CAPS
        },
        twist: Twist::NoModel,
        ..place("Parallel", "https://api.parallel.ai", "PARALLEL_API_KEY")
    },
    place("Nace", "https://console.nace.ai", "NACE_API_KEY"),
    place("eu-jev", "https://eu-jev.com", "EU_JEV_API_KEY"),
    Place {
        path: "/v1/decisions",
        ..place(
            "EmpirioLabs",
            "https://api.empiriolabs.ai",
            "EMPIRIOLABS_API_KEY",
        )
    },
    place("ngrok", "https://gateway.ngrok.ai", "NGROK_API_KEY"),
    Place {
        auth: Auth::None,
        prices: &[("", 0.0)],
        caps: Caps {
            options: (2, 26),
            levels: (2, 26),
            ..CAPS
        },
        ..place("Ollama", "http://localhost:11434", "OLLAMA_API_KEY")
    },
    Place {
        auth: Auth::None,
        prices: &[("", 0.0)],
        caps: Caps {
            options: (2, 26),
            levels: (2, 26),
            ..CAPS
        },
        ..place("Ollama", "http://127.0.0.1:11434", "OLLAMA_API_KEY")
    },
];

impl Place {
    /// The place at this address, where it is a published one.
    pub(super) fn at(base_url: &str) -> Option<&'static Self> {
        PLACES.iter().find(|place| fits(place.base_url, base_url))
    }

    /// What its candidates use where they do not say otherwise. An address that names the route already needs none.
    pub(super) fn usual(&self, base_url: &str) -> Usual {
        let whole = base_url.contains("/ai/run/");
        Usual {
            key_env: self.key_env,
            auth: self.auth,
            path: if whole { "" } else { self.path },
            ..USUAL
        }
    }

    /// The published price of a model.
    pub(super) fn price(&self, model: &str) -> Option<Price> {
        let of_model = self.prices.iter().find(|(part, _)| model.contains(part));
        of_model.map(|(_, input_per_million)| Price {
            input_per_million: *input_per_million,
            output_per_million: 0.0,
        })
    }
}

/// Whether an address begins as the pattern says, part by part; `*` stands for a part or for the beginning of one.
fn fits(pattern: &str, address: &str) -> bool {
    let address = address.to_lowercase();
    let mut parts = address.trim_end_matches('/').split('/');
    pattern.split('/').all(|wanted| {
        parts
            .next()
            .is_some_and(|part| match wanted.strip_prefix('*') {
                Some(ending) => part.len() > ending.len() && part.ends_with(ending),
                None => part == wanted,
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_recognised_by_their_addresses_alone() {
        for (address, name) in [
            ("https://api.typesafe.ai/", Some("TypeSafe")),
            ("https://OpenRouter.ai/api", Some("OpenRouter")),
            (
                "https://api.cloudflare.com/client/v4/accounts/a1",
                Some("Cloudflare"),
            ),
            (
                "https://api.cloudflare.com/client/v4/accounts/a1/ai/run/@cf/cloudflare/clef",
                Some("Cloudflare"),
            ),
            (
                "https://res.services.ai.azure.com/providers/microsoft",
                Some("Microsoft Foundry"),
            ),
            (
                "https://dbc-1.example.org/serving-endpoints/jev/invocations",
                Some("Databricks"),
            ),
            ("http://127.0.0.1:11434", Some("Ollama")),
            ("https://openrouter.ai.example.org/api", None),
            ("https://evil.example.org/api.typesafe.ai", None),
            ("http://api.typesafe.ai", None),
            ("https://openrouter.ai", None),
        ] {
            assert_eq!(
                Place::at(address).map(|place| place.name),
                name,
                "{address}"
            );
        }
    }

    #[test]
    fn a_price_is_of_the_model() {
        let price = |address: &str, model: &str| {
            let place = Place::at(address).expect("a place");
            place.price(model).map(|price| price.input_per_million)
        };
        let cloudflare = "https://api.cloudflare.com/client/v4/accounts/a1";
        assert_eq!(price(cloudflare, "clef"), Some(0.24));
        assert_eq!(price(cloudflare, "clef-flash"), Some(0.09));
        assert_eq!(
            price("https://api.perplexity.ai", "pplx-decider-v1.2"),
            Some(0.02)
        );
        assert_eq!(
            price("https://openrouter.ai/api", "typesafe/jev-1.13"),
            None
        );
    }
}
