//! The types and policies that are linked into this test.

use crate::suite::{RustPolicy, RustType};

inventory::collect!(RustType);
inventory::collect!(RustPolicy);

/// The types that derive their options, in no order.
pub(super) fn linked_types() -> Vec<&'static RustType> {
    inventory::iter::<RustType>.into_iter().collect()
}

/// The policies, in no order.
pub(super) fn linked_policies() -> Vec<&'static RustPolicy> {
    inventory::iter::<RustPolicy>.into_iter().collect()
}
