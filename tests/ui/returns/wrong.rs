enum Team {
    Billing,
}

#[decbench::provider]
fn own_type(_: &str) -> Team {
    Team::Billing
}

#[decbench::provider]
fn number(_: &str) -> f64 {
    0.5
}

#[decbench::provider]
async fn fallible(_: &str) -> Result<Team, String> {
    Ok(Team::Billing)
}

fn main() {}
