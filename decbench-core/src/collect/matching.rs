//! Which known line answers which wanted question.

use std::collections::HashMap;

use super::wanted::{WantedAnswer, WantedCall};
use crate::decision::{Answer, Failure, FailureKind, Probe, RequestDigest};

/// Known answers by case.
///
/// A line answers exactly its request. Where several lines do, the first wins; an error that is no answer (a
/// connection that failed) gives way to any line that is one.
#[derive(Default)]
pub(crate) struct Known {
    lines: Vec<Answer>,
    by_case: HashMap<String, Vec<usize>>,
}

impl Known {
    pub(crate) fn new(lines: Vec<Answer>) -> Self {
        let mut by_case: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, line) in lines.iter().enumerate() {
            match by_case.get_mut(line.case.as_str()) {
                Some(positions) => positions.push(position),
                None => {
                    by_case.insert(line.case.clone(), vec![position]);
                }
            }
        }
        Self { lines, by_case }
    }

    /// The lines about one case, in the order of the file.
    pub(crate) fn about<'s>(&'s self, case: &str) -> impl Iterator<Item = &'s Answer> {
        self.by_case
            .get(case)
            .into_iter()
            .flatten()
            .map(|position| &self.lines[*position])
    }

    /// One entry per wanted answer: the line that answers it.
    ///
    /// Case ids may be row numbers, and a row put in shifts all that follow. Therefore a question that no line of
    /// its own case answers takes a line of another id that answers exactly the same request, unless that line's
    /// own case still wants it.
    ///
    /// What was answered goes out of the lines; what was asked stays, for explaining misses.
    pub(crate) fn take_answers(&mut self, calls: &[WantedCall<'_>]) -> Vec<Option<Answer>> {
        let mut chosen: Vec<Option<usize>> = Vec::new();
        let mut claimed = vec![false; self.lines.len()];
        for call in calls {
            for wanted in &call.questions {
                let line = self.own(call, wanted);
                if let Some(line) = line {
                    claimed[line] = true;
                }
                chosen.push(line);
            }
        }
        if chosen.iter().any(Option::is_none) {
            self.take_moved(calls, &mut chosen, &mut claimed);
        }
        let mut number = 0;
        let mut answers = Vec::with_capacity(chosen.len());
        for call in calls {
            for wanted in &call.questions {
                answers.push(chosen[number].map(|line| {
                    let line = &mut self.lines[line];
                    let gone = Failure::new(FailureKind::InvalidAnswer, String::new());
                    Answer {
                        case: call.case.id.clone(),
                        question: wanted.question.name.clone(),
                        probe: wanted.probe.clone(),
                        request: line.request,
                        outcome: std::mem::replace(&mut line.outcome, Err(gone)),
                        measured: std::mem::take(&mut line.measured),
                    }
                }));
                number += 1;
            }
        }
        answers
    }

    fn own(&self, call: &WantedCall<'_>, wanted: &WantedAnswer<'_>) -> Option<usize> {
        let positions = self.by_case.get(call.case.id.as_str())?;
        let mut fitting = positions
            .iter()
            .copied()
            .filter(|position| fits(&self.lines[*position], call.request, wanted));
        let first = fitting.next()?;
        if is_answer(&self.lines[first]) {
            return Some(first);
        }
        fitting
            .find(|position| is_answer(&self.lines[*position]))
            .or(Some(first))
    }

    fn take_moved(
        &self,
        calls: &[WantedCall<'_>],
        chosen: &mut [Option<usize>],
        claimed: &mut [bool],
    ) {
        let mut by_request: HashMap<RequestDigest, Vec<usize>> = HashMap::new();
        for (position, line) in self.lines.iter().enumerate() {
            if !claimed[position]
                && is_answer(line)
                && let Some(request) = line.request
            {
                by_request.entry(request).or_default().push(position);
            }
        }
        for call in calls {
            let Some(lines) = call.request.and_then(|request| by_request.get(&request)) else {
                continue;
            };
            for (offset, wanted) in call.questions.iter().enumerate() {
                let slot = &mut chosen[call.first + offset];
                if slot.is_none() {
                    *slot = lines.iter().copied().find(|position| {
                        !claimed[*position] && fits(&self.lines[*position], call.request, wanted)
                    });
                    if let Some(line) = *slot {
                        claimed[line] = true;
                    }
                }
            }
        }
    }
}

/// Whether the line is an answer or the model's own failure, and not a call that reached nobody.
pub(crate) fn is_answer(line: &Answer) -> bool {
    line.outcome
        .as_ref()
        .map_or_else(|failure| failure.kind.is_models(), |_| true)
}

fn fits(line: &Answer, request: Option<RequestDigest>, wanted: &WantedAnswer<'_>) -> bool {
    line.question == wanted.question.name
        && same_probe(&line.probe, &wanted.probe)
        && (request.is_none() || line.request == request)
}

/// Whether both probes ask alike; an empty order in a line stands for the suite's.
fn same_probe(line: &Probe, wanted: &Probe) -> bool {
    line.repeat == wanted.repeat
        && line.context == wanted.context
        && (line.order == wanted.order || (line.order.is_empty() && wanted.in_suite_order()))
}
