//! Recorded answers of real decision models, judged here, must give the figures their authors published.
//!
//! The data are other people's and live beside the repository, under `../shared/data`. Where they are absent, these
//! tests are listed as ignored.

mod bbq;
mod jev_phishing_tiers;
mod jev_synth_tickets;
mod jevbench_components;
mod jevbench_public;
mod jevbench_suite;
mod llmbar;
mod suites;
mod table;
mod unanswered;
mod xstest;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

/// A test on one folder of data.
struct DataTest {
    name: &'static str,
    folder: &'static str,
    run: fn(&Path) -> Result<(), String>,
}

const TESTS: &[DataTest] = &[
    DataTest {
        name: "jev_synth_tickets::published_figures",
        folder: "jev-synth-tickets",
        run: jev_synth_tickets::published_figures,
    },
    DataTest {
        name: "jev_synth_tickets::other_conventions",
        folder: "jev-synth-tickets",
        run: jev_synth_tickets::other_conventions,
    },
    DataTest {
        name: "jev_phishing_tiers::published_figures",
        folder: "jev-phishing-tiers",
        run: jev_phishing_tiers::published_figures,
    },
    DataTest {
        name: "jev_phishing_tiers::every_pass",
        folder: "jev-phishing-tiers",
        run: jev_phishing_tiers::every_pass,
    },
    DataTest {
        name: "jevbench_components::every_published_value",
        folder: "jevbench-v16-components",
        run: jevbench_components::every_published_value,
    },
    DataTest {
        name: "jevbench_suite::every_figure_through_a_suite",
        folder: "jevbench-v16-components",
        run: jevbench_suite::every_figure_through_a_suite,
    },
    DataTest {
        name: "jevbench_public::published_figures",
        folder: "jevbench-public-de1",
        run: jevbench_public::published_figures,
    },
    DataTest {
        name: "jevbench_public::ties_decide_two_answers",
        folder: "jevbench-public-de1",
        run: jevbench_public::ties_decide_two_answers,
    },
    DataTest {
        name: "jevbench_public::ingredients_of_capability",
        folder: "jevbench-public-de1",
        run: jevbench_public::ingredients_of_capability,
    },
    DataTest {
        name: "llmbar::published_figures",
        folder: "llmbar",
        run: llmbar::published_figures,
    },
    DataTest {
        name: "llmbar::two_judges_compared",
        folder: "llmbar",
        run: llmbar::two_judges_compared,
    },
    DataTest {
        name: "xstest::judges_against_people",
        folder: "xstest-refusal-labels",
        run: xstest::judges_against_people,
    },
    DataTest {
        name: "xstest::people_with_each_other",
        folder: "xstest-refusal-labels",
        run: xstest::people_with_each_other,
    },
    DataTest {
        name: "xstest::free_text_is_an_invalid_answer",
        folder: "xstest-refusal-labels",
        run: xstest::free_text_is_an_invalid_answer,
    },
    DataTest {
        name: "bbq::published_figures",
        folder: "bbq-unifiedqa",
        run: bbq::published_figures,
    },
    DataTest {
        name: "bbq::the_way_out_is_judged_case_by_case",
        folder: "bbq-unifiedqa",
        run: bbq::the_way_out_is_judged_case_by_case,
    },
    DataTest {
        name: "unanswered::banking77",
        folder: "banking77",
        run: unanswered::banking77,
    },
    DataTest {
        name: "unanswered::clinc150",
        folder: "clinc150",
        run: unanswered::clinc150,
    },
    DataTest {
        name: "unanswered::jevbench_240",
        folder: "jevbench-240",
        run: unanswered::jevbench_240,
    },
    DataTest {
        name: "unanswered::prompt_injection_gate",
        folder: "prompt-injection-gate",
        run: unanswered::prompt_injection_gate,
    },
    DataTest {
        name: "unanswered::xcopa",
        folder: "xcopa",
        run: unanswered::xcopa,
    },
];

fn data_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data")
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = TESTS.iter().map(|test| {
        let folder = data_folder().join(test.folder);
        let absent = !folder.is_dir();
        let kind = if absent {
            format!("needs ../shared/data/{}", test.folder)
        } else {
            String::new()
        };
        Trial::test(test.name, move || (test.run)(&folder).map_err(Failed::from))
            .with_ignored_flag(absent)
            .with_kind(kind)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
