//! Judging open answers. A judge is asked closed questions about an answer, as a candidate is about a case, so that its
//! answers are recorded, replayed, paid for and limited like any others: in `answers/<suite>.judges`, one file for each
//! candidate and judge.

mod ballot;
mod material;

use std::collections::{BTreeMap, BTreeSet};

use super::candidate::{CandidateRun, collected_of, estimate_by};
use super::settings::Settings;
use super::who;
use crate::collect::{Collected, Estimate, Mode};
use crate::decision::Plan;
use crate::score::{Judged, Unjudged, judged};
use crate::suite::{Candidate, Judging, OpenTask, Suite};

use ballot::Ballot;
pub(super) use material::judges_of;
use material::{Docket, Matter, docket};

/// Below this share of agreeing votes a candidate's judges are doubted.
const LOW_AGREEMENT: f64 = 0.7;
/// Missing judgements told one by one.
const MISSES_TOLD: usize = 3;

/// Has the answers of the candidate at `position` judged; `other` is whom they are compared with, where that is
/// somebody else.
pub(super) fn judge(
    suite: &Suite,
    position: usize,
    run: &mut CandidateRun<'_>,
    other: Option<&CandidateRun<'_>>,
    settings: &Settings,
) {
    let Some(open) = &suite.open else { return };
    let Some(judging) = &open.judging else { return };
    let candidate = &suite.candidates[position];
    let Some(sheet) = run.sheets.first() else {
        return;
    };
    let against = other.and_then(|other| other.sheets.first());
    let docket = docket(&open.asked(), judging, sheet, against);
    let court = Court {
        suite,
        candidate,
        docket: &docket,
        settings,
    };
    let (jury, chat) = eligible(open, judging, candidate, settings);
    let all: BTreeSet<usize> = (0..docket.matters.len()).collect();
    let mut heard = if jury.is_empty() {
        // Nobody of the jury can read it, or may judge it; who can judges in its place.
        let alone = chat.expect("checked with the settings");
        court.hear(&[alone], &all, run)
    } else {
        court.hear(&jury, &all, run)
    };
    if let Some(chat) = chat.filter(|_| !jury.is_empty()) {
        stand_in(&court, chat, &mut heard, run);
    }
    tell_missing(&heard, &docket, run);
    let compares_itself = judging.pairwise == Some(position);
    let found = verdicts(judging, &docket, &heard, compares_itself);
    tell_unjudged(&found, run);
    tell_agreement(&found, run);
    if let Some(sheet) = run.sheets.first_mut() {
        sheet.take_judgements(|position, repeat| found.get(&(position, repeat)).cloned());
    }
}

/// The jury that may judge a candidate, empty where nobody of it can read the task, and who stands in for it.
fn eligible<'j>(
    open: &OpenTask,
    judging: &'j Judging,
    candidate: &Candidate,
    settings: &Settings,
) -> (Vec<&'j Candidate>, Option<&'j Candidate>) {
    let family = |one: &Candidate| who::family(one, &settings.config);
    let jury = if open.is_long() {
        Vec::new()
    } else {
        judging.jury_of(candidate, family)
    };
    (jury, judging.chat_for(candidate, family))
}

/// What having the candidate at `position` judged would take: every judgement that no recording holds of the answers that
/// are there, and all of those to be given. Nobody is asked.
///
/// # Errors
///
/// A message where a judge cannot be asked as it stands, or a recording cannot be read.
pub(super) fn estimate(
    suite: &Suite,
    position: usize,
    (run, other): (&CandidateRun<'_>, Option<&CandidateRun<'_>>),
    planned: &Plan,
    settings: &Settings,
) -> Result<Estimate, String> {
    let open = suite.open.as_ref();
    let Some((open, judging)) = open.and_then(|open| Some((open, open.judging.as_ref()?))) else {
        return Ok(Estimate { parts: Vec::new() });
    };
    let against = other.and_then(|other| other.sheets.first());
    let task = open.asked();
    let mut docket = match run.sheets.first() {
        Some(sheet) => docket(&task, judging, sheet, against),
        None => Docket::default(),
    };
    let answered: BTreeSet<(usize, u32)> = run
        .sheets
        .iter()
        .flat_map(|sheet| &sheet.rows)
        .flat_map(|row| {
            let observed = row.observed.iter();
            observed.map(|observed| (row.position, observed.probe.repeat))
        })
        .collect();
    for call in &planned.calls {
        if !answered.contains(&(call.case, call.repeat)) {
            docket.foresee(
                &task,
                judging,
                (&suite.cases[call.case], call.repeat),
                other.is_some(),
            );
        }
    }
    let candidate = &suite.candidates[position];
    let (mut judges, chat) = eligible(open, judging, candidate, settings);
    if judges.is_empty() {
        judges.extend(chat);
    }
    let all = 0..docket.matters.len();
    let asked = docket.suite_of(suite, candidate, &judges);
    estimate_by(&asked, &docket.plan(all), settings)
}

/// Whom is judged, about what.
struct Court<'c> {
    suite: &'c Suite,
    candidate: &'c Candidate,
    docket: &'c Docket,
    settings: &'c Settings,
}

impl Court<'_> {
    /// Asks the judges about these matters.
    fn hear(
        &self,
        judges: &[&Candidate],
        matters: &BTreeSet<usize>,
        run: &mut CandidateRun<'_>,
    ) -> Vec<Ballot> {
        let ballots = |collected: Option<&Collected>| Ballot::read(self.docket, collected);
        if matters.is_empty() {
            return judges.iter().map(|_| ballots(None)).collect();
        }
        let asked = self.docket.suite_of(self.suite, self.candidate, judges);
        let plan = self.docket.plan(matters.iter().copied());
        let collected = collected_of(&asked, &plan, self.settings);
        let mut heard = Vec::with_capacity(judges.len());
        for (judge, collected) in judges.iter().zip(collected) {
            match collected {
                Ok(collected) => {
                    run.notes.extend(collected.notes.iter().cloned());
                    heard.push(ballots(Some(&collected)));
                }
                Err(reason) => {
                    run.notes.push(format!(
                        "the judge `{}` was not heard: {reason}",
                        judge.name
                    ));
                    heard.push(ballots(None));
                }
            }
        }
        heard
    }
}

/// Lets another judge vote on what one of the jury failed at or would not say.
fn stand_in(court: &Court<'_>, chat: &Candidate, heard: &mut [Ballot], run: &mut CandidateRun<'_>) {
    // Where nothing can be asked, a failure that reached nobody is not recorded, and only its stand-in's answer is.
    let replay = court.settings.mode == Mode::Replay;
    let open: BTreeSet<usize> = heard
        .iter()
        .flat_map(|ballot| ballot.open_matters(replay))
        .collect();
    if open.is_empty() {
        return;
    }
    let notes = run.notes.len();
    let mut stood_in = court.hear(&[chat], &open, run);
    let Some(stand_in) = stood_in.pop() else {
        return;
    };
    let mut taken = BTreeSet::new();
    for ballot in heard {
        taken.extend(ballot.take_from(&stand_in, replay));
    }
    if taken.is_empty() && replay {
        run.notes.truncate(notes);
    }
    if !taken.is_empty() {
        run.notes.push(format!(
            "`{}` stood in for a judge that failed or abstained, {} times",
            chat.name,
            taken.len()
        ));
    }
}

/// Judgements that nobody has recorded are missing answers.
fn tell_missing(heard: &[Ballot], docket: &Docket, run: &mut CandidateRun<'_>) {
    let missing: BTreeSet<usize> = heard.iter().flat_map(Ballot::missing_matters).collect();
    if missing.is_empty() {
        return;
    }
    let told = missing.iter().take(MISSES_TOLD);
    run.misses
        .extend(told.map(|matter| format!("not judged: {}", docket.matters[*matter].name())));
    run.missing += missing.len();
    run.recordable = true;
}

/// What the judges say together of every answer, by position of its case and its repeat.
fn verdicts(
    judging: &Judging,
    docket: &Docket,
    heard: &[Ballot],
    compares_itself: bool,
) -> BTreeMap<(usize, u32), Judged> {
    let mut found = BTreeMap::new();
    for answer in &docket.answers {
        let rubric: Vec<_> = match answer.rubric {
            Some(matter) => heard.iter().map(|ballot| ballot.votes(matter)).collect(),
            None => Vec::new(),
        };
        let preferences = answer.compared.map(|sides| {
            let each = heard.iter().flat_map(|ballot| {
                [
                    ballot.preference(sides[0], false),
                    ballot.preference(sides[1], true),
                ]
            });
            each.collect::<Vec<_>>()
        });
        let mut said = judged(&rubric, preferences.as_deref());
        if judging.pairwise.is_some() && said.pairwise.is_none() {
            said.pairwise = Some(match (compares_itself, answer.other_failed) {
                // An answer is as good as itself.
                (true, _) => Ok(0.5),
                (false, Some(true)) => Ok(1.0),
                (false, _) => Err(Unjudged::Missing),
            });
        }
        found.insert((answer.position, answer.repeat), said);
    }
    found
}

/// Why qualities are missing although somebody was asked.
fn tell_unjudged(found: &BTreeMap<(usize, u32), Judged>, run: &mut CandidateRun<'_>) {
    let mut times: BTreeMap<Unjudged, usize> = BTreeMap::new();
    for judged in found.values() {
        let mut parts = [judged.rubric, judged.pairwise].into_iter().flatten();
        let why = parts.find_map(Result::err);
        if let Some(why) = why.filter(|why| *why != Unjudged::Missing) {
            *times.entry(why).or_default() += 1;
        }
    }
    if !times.is_empty() {
        let told = times.iter();
        let told: Vec<String> = told
            .map(|(why, times)| format!("{} ({times} answers)", why.told()))
            .collect();
        run.notes
            .push(format!("quality is missing: {}", told.join(", ")));
    }
}

fn tell_agreement(found: &BTreeMap<(usize, u32), Judged>, run: &mut CandidateRun<'_>) {
    let (agreeing, all) = found.values().fold((0_u32, 0_u32), |sum, judged| {
        (sum.0 + judged.agreement.0, sum.1 + judged.agreement.1)
    });
    if all > 0 && f64::from(agreeing) < LOW_AGREEMENT * f64::from(all) {
        run.notes.push(format!(
            "judges agree on {agreeing} of {all} pairs of votes, less than 70%: take its quality with care"
        ));
    }
}

impl Matter {
    fn name(&self) -> &str {
        &self.case.id
    }
}
