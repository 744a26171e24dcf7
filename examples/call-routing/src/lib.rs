//! Call routing at Larkfield, a regional broadband and phone company.
//!
//! Calls, voicemails, chats and e-mails all arrive as text. [`keyword_router`] reads the text and names the
//! [`Team`] that should take it. It is production code: of decbench it takes the derive that makes
//! its teams the options of a question. What it is worth is measured by the suite in `tests/suites`.
//!
//! ```
//! use call_routing::{Team, keyword_router};
//! assert_eq!(keyword_router("There is a charge on my bill I don't recognise"), Team::Billing);
//! ```

mod keywords;
mod router;
mod team;

pub use router::keyword_router;
pub use team::Team;
