//! The servers under test.
