//! Call routing.
