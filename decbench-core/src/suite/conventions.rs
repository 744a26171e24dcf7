//! `conventions:` of a suite or a question.

use super::gate;
use super::keys::Section;
use super::question::ReadQuestion;
use super::read::{Field, Fields, Reader};
use crate::decision::QuestionKind;
use crate::diagnostic::Span;
use crate::metric::{
    BinEdges, BinnedQuantity, BrierScale, CapabilityRules, ClassSet, ClosedSide, Conventions,
    HalfReading, SumTolerance, TieRule,
};

/// What a `conventions:` sets; what it leaves out stays as it was.
#[derive(Debug, Default)]
struct Overrides {
    bins: Option<u32>,
    closed: Option<ClosedSide>,
    of: Option<(BinnedQuantity, Span)>,
    edges: Option<BinEdges>,
    brier: Option<(BrierScale, Span)>,
    log_loss_floor: Option<f64>,
    ties: Option<TieRule>,
    half: Option<(HalfReading, Span)>,
    sum_tolerance: Option<SumTolerance>,
    macro_f1: Option<ClassSet>,
    rps_normalised: Option<bool>,
    capability: Option<CapabilityRules>,
    median_gap: Option<f64>,
}

/// The conventions of each question: the suite's, and over them the question's own.
pub(super) fn by_question(
    reader: &mut Reader,
    suite: &Fields<'_>,
    questions: &[ReadQuestion<'_>],
) -> Vec<Conventions> {
    let general = suite
        .get("conventions")
        .map(|field| read(reader, &field))
        .unwrap_or_default();
    let any_yes_no = questions
        .iter()
        .any(|read| read.question.kind == QuestionKind::YesNo);
    if !questions.is_empty() && !any_yes_no {
        general.refuse_yes_only(reader, "the suite has no question of type `yes_no`");
    }
    let mut conventions: Vec<Conventions> = questions
        .iter()
        .map(|asked| {
            let mut conventions = Conventions::default();
            let yes_no = asked.question.kind == QuestionKind::YesNo;
            general.apply(&mut conventions, yes_no);
            if let Some(field) = &asked.conventions {
                let own = read(reader, field);
                if !yes_no {
                    let kind = asked.question.kind.name();
                    own.refuse_yes_only(reader, &format!("this question is of type `{kind}`"));
                }
                own.apply(&mut conventions, yes_no);
            }
            conventions
        })
        .collect();
    gate::gates(reader, questions, &mut conventions);
    conventions
}

/// The suite's conventions alone, for questions that stand in the cases.
pub(super) fn of_suite(reader: &mut Reader, suite: &Fields<'_>) -> Conventions {
    let mut conventions = Conventions::default();
    if let Some(field) = suite.get("conventions") {
        read(reader, &field).apply(&mut conventions, true);
    }
    conventions
}

fn read(reader: &mut Reader, field: &Field<'_>) -> Overrides {
    let mut overrides = Overrides::default();
    let Some(fields) = reader.section(Section::Conventions, "conventions", field.value) else {
        return overrides;
    };
    if let Some(ece) = section(reader, &fields, "ece", Section::Ece) {
        overrides.bins = ece.get("bins").and_then(|field| reader.whole(&field));
        overrides.closed = word(reader, &ece, "closed").map(|(word, _)| match word {
            "right" => ClosedSide::Right,
            _ => ClosedSide::Left,
        });
        overrides.of = word(reader, &ece, "of").map(|(word, span)| match word {
            "yes" => (BinnedQuantity::Yes, span),
            _ => (BinnedQuantity::Top, span),
        });
        overrides.edges = word(reader, &ece, "edges").map(|(word, _)| match word {
            "decimal" => BinEdges::Decimal,
            _ => BinEdges::Binary,
        });
    }
    if let Some(brier) = section(reader, &fields, "brier", Section::Brier) {
        overrides.brier = word(reader, &brier, "scale").map(|(word, span)| match word {
            "binary" => (BrierScale::Binary, span),
            _ => (BrierScale::Labels, span),
        });
    }
    if let Some(log_loss) = section(reader, &fields, "log_loss", Section::LogLoss)
        && let Some(field) = log_loss.get("floor")
        && let Some(floor) = reader.number(&field)
    {
        if floor <= 0.0 || floor >= 1.0 {
            reader
                .error(
                    "out-of-range",
                    field.value.span,
                    "`floor` lies above 0 and below 1",
                )
                .help("the logarithm of 0 is infinite; a usual floor is 1e-6");
        }
        overrides.log_loss_floor = Some(floor);
    }
    overrides.ties = word(reader, &fields, "ties").map(|(word, _)| match word {
        "lexicographic" => TieRule::Lexicographic,
        _ => TieRule::First,
    });
    overrides.half = word(reader, &fields, "half").map(|(word, span)| match word {
        "yes" => (HalfReading::Yes, span),
        "no" => (HalfReading::No, span),
        _ => (HalfReading::Wrong, span),
    });
    overrides.sum_tolerance = fields
        .get("sum_tolerance")
        .and_then(|field| sum_tolerance(reader, &field));
    overrides.capability = word(reader, &fields, "capability").map(|(word, _)| match word {
        "page" => CapabilityRules::Page,
        _ => CapabilityRules::JevBench,
    });
    overrides.median_gap = fields
        .get("median_gap")
        .and_then(|field| reader.number(&field));
    if let Some(macro_f1) = section(reader, &fields, "macro_f1", Section::MacroF1) {
        overrides.macro_f1 = word(reader, &macro_f1, "classes").map(|(word, _)| match word {
            "seen" => ClassSet::Seen,
            "declared" => ClassSet::Declared,
            _ => ClassSet::Gold,
        });
    }
    if let Some(rps) = section(reader, &fields, "rps", Section::Rps) {
        overrides.rps_normalised = rps.get("normalised").and_then(|field| reader.flag(&field));
    }
    overrides
}

fn section<'n>(
    reader: &mut Reader,
    fields: &Fields<'n>,
    name: &str,
    section: Section,
) -> Option<Fields<'n>> {
    let field = fields.get(name)?;
    reader.section(section, name, field.value)
}

fn word(reader: &mut Reader, fields: &Fields<'_>, name: &str) -> Option<(&'static str, Span)> {
    let field = fields.get(name)?;
    Some((reader.one_of(&field)?, field.value.span))
}

fn sum_tolerance(reader: &mut Reader, field: &Field<'_>) -> Option<SumTolerance> {
    let text = field.value.text().unwrap_or("");
    if text == "auto" {
        return Some(SumTolerance::Auto);
    }
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Some(SumTolerance::Within(value)),
        _ => {
            reader.error(
                "out-of-range",
                field.value.span,
                "`sum_tolerance` wants `auto` or a number from 0 to 1",
            );
            None
        }
    }
}

impl Overrides {
    fn refuse_yes_only(&self, reader: &mut Reader, why: &str) {
        let wanted = [
            (
                "ece: { of: yes }",
                self.of
                    .filter(|(of, _)| *of == BinnedQuantity::Yes)
                    .map(|(_, span)| span),
            ),
            (
                "brier: { scale: binary }",
                self.brier
                    .filter(|(scale, _)| *scale == BrierScale::Binary)
                    .map(|(_, span)| span),
            ),
            ("half", self.half.map(|(_, span)| span)),
        ];
        for (name, span) in wanted {
            if let Some(span) = span {
                reader
                    .error(
                        "yes-only",
                        span,
                        format!("`{name}` speaks of P(yes), and {why}"),
                    )
                    .help("remove it, or write it inside a question of type `yes_no`");
            }
        }
    }

    fn apply(&self, conventions: &mut Conventions, yes_no: bool) {
        let set = conventions;
        set.ece.bins = self.bins.unwrap_or(set.ece.bins);
        set.ece.closed = self.closed.unwrap_or(set.ece.closed);
        set.ece.edges = self.edges.unwrap_or(set.ece.edges);
        set.log_loss_floor = self.log_loss_floor.unwrap_or(set.log_loss_floor);
        set.ties = self.ties.unwrap_or(set.ties);
        set.sum_tolerance = self.sum_tolerance.unwrap_or(set.sum_tolerance);
        set.capability = self.capability.unwrap_or(set.capability);
        set.median_gap = self.median_gap.or(set.median_gap);
        set.macro_f1 = self.macro_f1.unwrap_or(set.macro_f1);
        set.rps_normalised = self.rps_normalised.unwrap_or(set.rps_normalised);
        // With questions of several kinds, what speaks of P(yes) holds where there is one.
        if yes_no {
            set.ece.of = self.of.map_or(set.ece.of, |(of, _)| of);
            set.brier = self.brier.map_or(set.brier, |(scale, _)| scale);
            set.half = self.half.map_or(set.half, |(half, _)| half);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::check_text;
    use super::*;
    use crate::diagnostic::Source;

    #[test]
    fn a_questions_own_conventions_lie_over_the_suites() {
        let text = "
questions:
  paid: { type: yes_no, instructions: Paid?, conventions: { ece: { bins: 15 }, half: no } }
  mood: { type: score, instructions: How?, levels: [calm, angry], conventions: { rps: { normalised: false } } }
cases: [{ state: x }]
candidates: { x: { provider: rust } }
assert: { accuracy: '>= 1%' }
conventions:
  ece: { bins: 20, closed: right, of: yes, edges: decimal }
  brier: { scale: binary }
  log_loss: { floor: 1e-12 }
  ties: lexicographic
  half: yes
  sum_tolerance: 0.001
  macro_f1: { classes: declared }
  median_gap: -1.5
";
        let conventions = check_text(&Arc::new(Source::new("a.yaml", text)))
            .unwrap()
            .suite
            .conventions;
        let paid = conventions[0];
        assert_eq!(paid.ece.bins, 15);
        assert_eq!(paid.ece.closed, ClosedSide::Right);
        assert_eq!(paid.ece.of, BinnedQuantity::Yes);
        assert_eq!(paid.ece.edges, BinEdges::Decimal);
        assert_eq!(paid.brier, BrierScale::Binary);
        assert_eq!(paid.log_loss_floor, 1e-12);
        assert_eq!(paid.median_gap, Some(-1.5));
        assert_eq!(paid.ties, TieRule::Lexicographic);
        assert_eq!(paid.half, HalfReading::No);
        assert_eq!(paid.sum_tolerance, SumTolerance::Within(0.001));
        assert_eq!(paid.macro_f1, ClassSet::Declared);
        let mood = conventions[1];
        assert_eq!(mood.ece.bins, 20);
        assert_eq!(mood.ece.of, BinnedQuantity::Top, "a score has no P(yes)");
        assert_eq!(mood.brier, BrierScale::Labels);
        assert!(!mood.rps_normalised && paid.rps_normalised);
    }
}
