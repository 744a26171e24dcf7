struct Ticket;

#[decbench::provider]
fn by_reference(_: &Ticket) -> bool {
    true
}

#[decbench::provider]
fn by_value(_: Ticket) -> bool {
    true
}

fn main() {}
