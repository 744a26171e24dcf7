//! decbench.
