// Each type differs from the suite in one thing.

mod keys {
    #[derive(decbench::Options)]
    #[options(rename_all = "lowercase")]
    pub enum Team {
        /// Invoices and refunds.
        Billing,
        /// Something is broken.
        Help,
        /// None of these.
        #[options(escape)]
        Other,
    }

    #[decbench::test(suite = "tests/ui/suites/teams.yaml")]
    fn keys(_: &str) -> Team {
        Team::Billing
    }
}

mod descriptions {
    #[derive(decbench::Options)]
    #[options(rename_all = "lowercase")]
    pub enum Team {
        /// Invoices and charges.
        Billing,
        /// Something is broken.
        Support,
        /// None of these.
        #[options(escape)]
        Other,
    }

    #[decbench::test(suite = "tests/ui/suites/teams.yaml")]
    fn descriptions(_: &str) -> Team {
        Team::Billing
    }
}

mod escape {
    #[derive(decbench::Options)]
    #[options(rename_all = "lowercase")]
    pub enum Team {
        /// Invoices and refunds.
        Billing,
        /// Something is broken.
        Support,
        /// None of these.
        Other,
    }

    #[decbench::test(suite = "tests/ui/suites/teams.yaml")]
    fn escape(_: &str) -> Team {
        Team::Billing
    }
}

mod version {
    #[derive(decbench::Options)]
    #[options(rename_all = "lowercase", version = 4)]
    pub enum Team {
        /// Invoices and refunds.
        Billing,
        /// Something is broken.
        Support,
        /// None of these.
        #[options(escape)]
        Other,
    }

    #[decbench::test(suite = "tests/ui/suites/teams.yaml")]
    fn version(_: &str) -> Team {
        Team::Billing
    }
}

mod wording {
    #[derive(decbench::Options)]
    #[options(rename_all = "lowercase", question = "Who?")]
    pub enum Team {
        /// Invoices and refunds.
        Billing,
        /// Something is broken.
        Support,
        /// None of these.
        #[options(escape)]
        Other,
    }

    #[decbench::test(suite = "tests/ui/suites/teams.yaml")]
    fn wording(_: &str) -> Team {
        Team::Billing
    }
}

mod order {
    #[derive(decbench::Options)]
    #[options(rename_all = "lowercase")]
    pub enum Team {
        /// Something is broken.
        Support,
        /// Invoices and refunds.
        Billing,
        /// None of these.
        #[options(escape)]
        Other,
    }

    #[decbench::test(suite = "tests/ui/suites/teams.yaml")]
    fn order(_: &str) -> Result<Team, String> {
        Ok(Team::Billing)
    }
}

#[derive(decbench::Levels)]
#[options(rename_all = "lowercase")]
pub enum Anger {
    Calm,
    Irritated,
    Furious,
}

#[decbench::test(suite = "tests/ui/suites/moods.yaml", levels = Anger)]
fn levels(_: &str) -> Anger {
    Anger::Calm
}

#[derive(decbench::Options)]
pub enum Choice {
    A,
    B,
}

#[decbench::test(suite = "tests/ui/suites/moods.yaml", options = Choice)]
fn kind(_: &str) -> Choice {
    Choice::A
}

#[decbench::test(suite = "tests/ui/suites/moods.yaml", options = String)]
fn no_closed_set(_: &str) -> Choice {
    Choice::A
}

fn main() {}
