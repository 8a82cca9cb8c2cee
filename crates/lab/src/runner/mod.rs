//! Runs scenarios.
