//! Claim against truth.
