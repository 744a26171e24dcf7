//! A request as a provider sees it.

use super::{Question, State};

/// One question of a request and the order its options are shown in.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The question, options in the suite's order.
    pub question: &'a Question,
    /// Positions of the options in the order to show.
    pub order: &'a [u16],
}

impl<'a> Asked<'a> {
    /// The options in the order to show.
    pub fn shown(&self) -> impl Iterator<Item = &'a super::AnswerOption> + use<'a> {
        let question = self.question;
        self.order
            .iter()
            .filter_map(move |position| question.options.get(usize::from(*position)))
    }
}

/// Several questions about one state, to be answered together.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Id of the case; for messages and recorded files, never sent to a service.
    pub case: &'a str,
    /// The material.
    pub state: &'a State,
    /// The questions, in the suite's order.
    pub questions: &'a [Asked<'a>],
}
