//! The pictures: each one is also said in words.

use maud::{Markup, html};

use super::region;
use super::scale::Format;
use crate::report::card::{Card, Measured, Question};

/// The side of a square plot, in units of its picture.
const SIDE: f64 = 200.0;
/// Room for the words at the axes.
const MARGIN: f64 = 34.0;

/// A plot with its axes, its title and what it says to those who do not see it.
fn plot(
    title: &str,
    place: &[&str],
    says: &str,
    x: &str,
    y: &str,
    ends: [&str; 4],
    inside: &Markup,
) -> Markup {
    let (width, height) = (SIDE + MARGIN + 12.0, SIDE + MARGIN + 12.0);
    html! {
        figure {
            figcaption { strong { (title) } span { (says) } }
            svg viewBox={ "0 0 " (width) " " (height) } role="img" aria-label={ (region(title, place)) ". " (says) } {
                g transform={ "translate(" (MARGIN) " 8)" } {
                    rect class="frame" width=(SIDE) height=(SIDE) {}
                    (inside)
                    text class="tick" x="0" y=(SIDE + 12.0) { (ends[0]) }
                    text class="tick end" x=(SIDE) y=(SIDE + 12.0) { (ends[1]) }
                    text class="tick end" x="-4" y=(SIDE) { (ends[2]) }
                    text class="tick end" x="-4" y="8" { (ends[3]) }
                    text class="axis-name" x=(SIDE / 2.0) y=(SIDE + 24.0) { (x) }
                    text class="axis-name" transform={ "translate(-24 " (SIDE / 2.0) ") rotate(-90)" } { (y) }
                }
            }
        }
    }
}

fn x(share: f64) -> String {
    format!("{:.1}", share.clamp(0.0, 1.0) * SIDE)
}

fn y(share: f64) -> String {
    format!("{:.1}", (1.0 - share.clamp(0.0, 1.0)) * SIDE)
}

fn points(line: impl Iterator<Item = (f64, f64)>) -> String {
    line.map(|(across, up)| format!("{},{}", x(across), y(up)))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Confidence against accuracy, with how many answers stand behind each point and how far chance alone goes.
pub(super) fn reliability(question: &Question, place: &[&str]) -> Markup {
    let bins: Vec<(f64, f64, u64)> = question
        .tables
        .reliability
        .iter()
        .filter_map(|bin| Some((bin.confidence?, bin.accuracy?, bin.n)))
        .collect();
    let most = bins.iter().map(|bin| bin.2).max().unwrap_or(0);
    if most == 0 {
        return html! {};
    }
    let ece = question
        .metric("ece")
        .map_or(String::new(), |ece| format!("ECE {:.3}. ", ece.value));
    let noise = question.metric("ece_null").map_or(String::new(), |null| {
        format!(
            "A calibrated model would show {:.3} by chance. ",
            null.value
        )
    });
    let says =
        format!("{ece}{noise}Numbers are answers per bin; the grey bars are what chance allows.");
    // Two standard errors of a calibrated bin.
    let band = |confidence: f64, n: u64| 2.0 * (confidence * (1.0 - confidence) / n as f64).sqrt();
    plot(
        "Calibration",
        place,
        &says,
        "confidence",
        "accuracy",
        ["0", "1", "0", "1"],
        &html! {
            line class="ideal" x1="0" y1=(SIDE) x2=(SIDE) y2="0" {}
            @for (confidence, _, n) in &bins {
                line class="noise" x1=(x(*confidence)) x2=(x(*confidence)) y1=(y(confidence - band(*confidence, *n))) y2=(y(confidence + band(*confidence, *n))) {}
            }
            polyline class="line" points=(points(bins.iter().map(|bin| (bin.0, bin.1)))) {}
            @for (confidence, accuracy, n) in &bins {
                circle class="dot" cx=(x(*confidence)) cy=(y(*accuracy)) r=(format!("{:.1}", 2.5 + 5.0 * (*n as f64 / most as f64).sqrt())) {
                    title { (n) " answers at confidence " (format!("{confidence:.2}")) ", accuracy " (format!("{accuracy:.2}")) }
                }
                text class="count" x=(x(*confidence)) y=(SIDE - 4.0) { (short(*n)) }
            }
        },
    )
}

/// A count in a narrow place: `950`, `1.8k`, `12k`; the exact one stands in the point's title.
fn short(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        1000..9950 => format!("{:.1}k", count as f64 / 1000.0),
        _ => format!("{:.0}k", count as f64 / 1000.0),
    }
}

/// How much is decided alone at which accuracy, with the threshold that an assertion found.
pub(super) fn coverage(question: &Question, threshold: Option<f64>, place: &[&str]) -> Markup {
    let steps: Vec<(f64, f64, f64)> = question
        .tables
        .coverage
        .iter()
        .filter_map(|step| Some((step.coverage, step.accuracy?, step.threshold)))
        .collect();
    if steps.is_empty() {
        return html! {};
    }
    let least = steps.iter().map(|step| step.1).fold(1.0, f64::min);
    // Accuracies are close to one; the lower part of the axis would be empty.
    let floor = (least * 10.0).floor() / 10.0;
    let up = |accuracy: f64| {
        if floor < 1.0 {
            (accuracy - floor) / (1.0 - floor)
        } else {
            1.0
        }
    };
    let chosen =
        threshold.and_then(|wanted| steps.iter().find(|step| (step.2 - wanted).abs() < 1e-9));
    let says = match chosen {
        Some((coverage, accuracy, threshold)) => format!(
            "From confidence {threshold} on, {:.1}% are decided alone, {:.1}% of them right.",
            coverage * 100.0,
            accuracy * 100.0
        ),
        None => "Which share is decided alone, and how accurate it is.".to_owned(),
    };
    let low = format!("{:.0}%", floor * 100.0);
    plot(
        "Coverage",
        place,
        &says,
        "decided alone",
        "accuracy of these",
        ["0", "100%", &low, "100%"],
        &html! {
            polyline class="line" points=(points(steps.iter().map(|step| (step.0, up(step.1))))) {}
            @for (coverage, accuracy, threshold) in &steps {
                circle class="dot" cx=(x(*coverage)) cy=(y(up(*accuracy))) r="2.5" {
                    title { "confidence at least " (threshold) ": " (format!("{:.1}%", coverage * 100.0)) " decided, accuracy " (format!("{:.1}%", accuracy * 100.0)) }
                }
            }
            @if let Some((coverage, accuracy, _)) = chosen { circle class="chosen" cx=(x(*coverage)) cy=(y(up(*accuracy))) r="6" {} }
        },
    )
}

/// Which share of calls had ended after how long; p50, p95 and p99, and the budget where one is asserted.
pub(super) fn latency(sorted: &[f64], budget: Option<f64>, place: &[&str]) -> Markup {
    let (Some(slowest), true) = (sorted.last().copied(), sorted.len() >= 2) else {
        return html! {};
    };
    let quantile = |share: f64| {
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted[rank.clamp(1, sorted.len()) - 1]
    };
    let marks = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)]
        .map(|(name, share)| (name, share, quantile(share)));
    let most = slowest.max(budget.unwrap_or(0.0)).max(f64::MIN_POSITIVE);
    let time = |milliseconds: f64| {
        if milliseconds < 10.0 {
            format!("{milliseconds:.2} ms")
        } else {
            format!("{milliseconds:.0} ms")
        }
    };
    let says = marks
        .map(|(name, _, value)| format!("{name} {}", time(value)))
        .join(", ");
    let says = match budget {
        Some(budget) => format!("{says}; the budget is {}.", time(budget)),
        None => format!("{says}."),
    };
    // A hundred points draw the curve of any number of calls.
    let curve = (0..=100).map(|percent| {
        let share = f64::from(percent) / 100.0;
        (quantile(share) / most, share)
    });
    let longest = time(most);
    plot(
        "Latency",
        place,
        &says,
        "milliseconds",
        "calls that have ended",
        ["0", &longest, "0", "100%"],
        &html! {
            polyline class="line" points=(points(curve)) {}
            @for (name, share, value) in &marks {
                circle class="dot" cx=(x(value / most)) cy=(y(*share)) r="3" { title { (name) " " (time(*value)) } }
            }
            @if let Some(budget) = budget { line class="budget" x1=(x(budget / most)) x2=(x(budget / most)) y1="0" y2=(SIDE) {} }
        },
    )
}

/// Cost beside accuracy, for every candidate that has both; a picture a question.
pub(super) fn quality_and_cost(card: &Card) -> Markup {
    let mut questions: Vec<&str> = Vec::new();
    for question in card.candidates.iter().flat_map(|one| &one.questions) {
        if !questions.contains(&question.name.as_str()) {
            questions.push(&question.name);
        }
    }
    let pictures: Vec<Markup> = questions
        .iter()
        .filter_map(|question| beside(card, question))
        .collect();
    if pictures.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "Cost beside quality" }
            div class="charts" { @for picture in &pictures { (picture) } }
        }
    }
}

/// One question's picture; none where fewer than two candidates have both numbers.
fn beside(card: &Card, name: &str) -> Option<Markup> {
    let found: Vec<(&str, f64, Measured)> = card
        .candidates
        .iter()
        .filter_map(|candidate| {
            let question = candidate.questions.iter().find(|one| one.name == name)?;
            let cost = question.metric("cost_per_1000")?.value;
            Some((candidate.name.as_str(), cost, question.metric("accuracy")?))
        })
        .collect();
    if found.len() < 2 {
        return None;
    }
    let most = found.iter().map(|one| one.1).fold(0.0, f64::max);
    // Where nothing costs anything, all stand at the left.
    let across = |cost: f64| if most > 0.0 { cost / most } else { 0.0 };
    let dollars = Format::Dollars;
    let says = found
        .iter()
        .map(|(name, cost, accuracy)| {
            let accuracy = Format::Share.words(accuracy.value);
            format!("{name} {accuracy} at {}", dollars.words(*cost))
        })
        .collect::<Vec<_>>()
        .join(", ");
    let title = match name {
        "" => "Accuracy and cost per 1,000".to_owned(),
        name => format!("{name}: accuracy and cost per 1,000"),
    };
    Some(plot(
        &title,
        &[&card.suite],
        &format!("{says}. Lines are 95% intervals of accuracy."),
        "cost per 1,000",
        "accuracy",
        ["$0", &dollars.words(most), "0", "100%"],
        &html! {
            @for (name, cost, accuracy) in &found {
                @let at = across(*cost);
                @if let Some((low, high)) = accuracy.interval { line class="whisker" x1=(x(at)) x2=(x(at)) y1=(y(low)) y2=(y(high)) {} }
                circle class="dot" cx=(x(at)) cy=(y(accuracy.value)) r="4" { title { (name) } }
                text class={ @if at > 0.6 { "name end" } @else { "name" } } x=(x(if at > 0.6 { at - 0.03 } else { at + 0.03 })) y=(y(accuracy.value)) { (name) }
            }
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short_where_they_are_large() {
        let shown = [0, 999, 1000, 1758, 9949, 9950, 12_345].map(short);
        assert_eq!(shown, ["0", "999", "1.0k", "1.8k", "9.9k", "10k", "12k"]);
    }
}
