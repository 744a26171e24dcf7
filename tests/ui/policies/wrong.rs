decbench::policy! {
    pub const TOO_LARGE: Threshold = Threshold::new(1.5);
}

decbench::policy! {
    pub const NEGATIVE: Margin = Margin::new(-0.1);
}

decbench::policy! {
    pub const NO_TIME: Timeout = Timeout::millis(0);
}

decbench::policy! {
    pub const BARE: f64 = 0.9;
}

fn main() {
    let _ = (TOO_LARGE, NEGATIVE, NO_TIME);
}
