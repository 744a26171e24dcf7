//! decbench-core.
