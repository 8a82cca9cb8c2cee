//! The body of each command.
