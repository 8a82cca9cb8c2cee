//! The frame log of a scenario.
