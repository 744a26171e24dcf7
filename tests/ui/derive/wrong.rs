use decbench::{Levels, Options};

#[derive(Options)]
struct NoEnum;

#[derive(Options)]
enum Empty {}

#[derive(Options)]
enum Lonely {
    A,
}

#[derive(Options)]
enum Generic<const N: usize> {
    A,
    B,
}

#[derive(Options)]
enum Fields {
    A(u8),
    B { c: u8 },
}

#[derive(Options)]
#[options(rename_all = "Snake")]
enum NoRule {
    A,
    B,
}

#[derive(Options)]
#[options(versoin = 3)]
enum Unknown {
    A,
    #[options(ecsape)]
    B,
}

#[derive(Options)]
#[options(version = -1, question = 3, display = "no")]
enum WrongValues {
    A,
    #[options(escape = true)]
    B,
}

#[derive(Options)]
#[options]
enum NoList {
    A,
    B,
}

#[derive(Options)]
#[options(version = 4294967296, version = 1)]
enum LargeAndTwice {
    A,
    B,
}

#[derive(Options)]
#[options(rename_all = "lowercase")]
enum SameKey {
    Billing,
    #[options(rename = "billing")]
    Bills,
    #[options(rename = " ")]
    Nothing,
}

#[derive(Options)]
enum TwoWaysOut {
    #[options(escape)]
    A,
    #[options(escape)]
    B,
}

#[derive(serde::Serialize, Options)]
enum Skipped {
    A,
    B,
    #[serde(skip)]
    C,
}

#[derive(Levels)]
enum NumberedLevels {
    #[options(rename = "1")]
    One,
    #[options(rename = "2")]
    Two,
}

#[derive(Levels)]
enum LevelsHaveNoWayOut {
    Calm,
    #[options(escape)]
    Angry,
}

fn main() {}
