//! `recording:`: what must hold of recorded answers.

use std::time::Duration;

use super::keys::Section;
use super::read::{Fields, Reader};
use crate::metric::Decimal;

/// What must hold of a candidate's recorded answers; what is not said is not asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Recording {
    /// The greatest age of an answer.
    pub max_age: Option<Duration>,
    /// Which models may have answered.
    pub model: Option<ServedModel>,
    /// By how much the share of escape answers may differ from that at the baseline, either way; above 0.
    pub escape_change: Option<Decimal>,
}

/// Which models may have answered under the name that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ServedModel {
    /// Any one, but only one.
    #[default]
    One,
    /// The very one that was asked for.
    Exact,
    /// As many as like to.
    Any,
}

impl Recording {
    /// This, and behind it what the suite says for all.
    #[must_use]
    pub fn or(self, of_suite: Self) -> Self {
        Self {
            max_age: self.max_age.or(of_suite.max_age),
            model: self.model.or(of_suite.model),
            escape_change: self.escape_change.or(of_suite.escape_change),
        }
    }

    /// Whether there is something that a recording can fail.
    pub fn is_assertion(&self) -> bool {
        self.max_age.is_some()
            || self.model == Some(ServedModel::Exact)
            || self.escape_change.is_some()
    }
}

/// Reads `recording:` of a suite or a candidate.
pub(super) fn recording(reader: &mut Reader, of: &Fields<'_>) -> Recording {
    let mut recording = Recording::default();
    let Some(field) = of.get("recording") else {
        return recording;
    };
    let Some(fields) = reader.section(Section::Recording, "recording", field.value) else {
        return recording;
    };
    if let Some(field) = fields.get("max_age") {
        recording.max_age = read_age(field.value.text().unwrap_or_default());
        if recording.max_age.is_none() {
            reader
                .error(
                    "bad-age",
                    field.value.span,
                    "`max_age` wants a time with its unit",
                )
                .help("write it as `90d`, `8w` or `12h`");
        }
    }
    if let Some(field) = fields.get("escape_change")
        && let Some(share) = reader.share(&field)
    {
        if share.value() > 0.0 && share.value() < 1.0 {
            recording.escape_change = Some(share);
        } else {
            reader
                .error(
                    "out-of-range",
                    field.value.span,
                    "`escape_change` lies above 0% and below 100%",
                )
                .help("no number of cases proves that nothing has changed; write what would matter, as in `5%`");
        }
    }
    recording.model = fields
        .get("model")
        .and_then(|field| reader.one_of(&field))
        .map(|word| match word {
            "exact" => ServedModel::Exact,
            "any" => ServedModel::Any,
            _ => ServedModel::One,
        });
    recording
}

/// Whole hours, days or weeks, at least one.
fn read_age(text: &str) -> Option<Duration> {
    let text = text.trim();
    let unit = text.char_indices().last()?;
    let hours = match unit.1 {
        'h' => 1,
        'd' => 24,
        'w' => 7 * 24,
        _ => return None,
    };
    let number: u32 = text[..unit.0].trim().parse().ok()?;
    (number > 0).then(|| Duration::from_secs(u64::from(number) * hours * 3600))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_need_their_unit() {
        let days = |days: u64| Some(Duration::from_secs(days * 86_400));
        assert_eq!(read_age("90d"), days(90));
        assert_eq!(read_age("2 w"), days(14));
        assert_eq!(read_age("48h"), days(2));
        for wrong in ["", "90", "d", "0d", "-1d", "1.5d", "90 Tage", "９d"] {
            assert_eq!(read_age(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_candidates_own_words_come_first() {
        let of_suite = Recording {
            max_age: Some(Duration::from_secs(1)),
            model: Some(ServedModel::Exact),
            ..Recording::default()
        };
        let own = Recording {
            model: Some(ServedModel::Any),
            ..Recording::default()
        };
        let both = own.or(of_suite);
        assert_eq!((both.max_age, both.model), (of_suite.max_age, own.model));
        assert!(both.is_assertion() && !own.is_assertion());
    }
}
