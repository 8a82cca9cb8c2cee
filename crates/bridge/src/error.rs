//! What a tool answers when it cannot: code, what happened, what to do next.

use protocol::{CommandError, ErrorCode};

/// Why a call was refused or failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError {
    /// Closed code.
    pub code: ErrorCode,
    /// One sentence without its full stop.
    pub what: String,
    /// What to do next; absent: the code's own advice.
    pub next: Option<String>,
}

impl ToolError {
    /// An error with the code's own advice.
    pub fn new(code: ErrorCode, what: impl Into<String>) -> Self {
        Self { code, what: what.into(), next: None }
    }

    /// The same with better advice.
    #[must_use]
    pub fn with_next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }
}

impl std::fmt::Display for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = self.what.trim_end_matches('.');
        write!(f, "{}: {what}. {}", self.code.word(), self.next.as_deref().unwrap_or(self.code.next()))
    }
}

impl std::error::Error for ToolError {}

impl From<CommandError> for ToolError {
    fn from(error: CommandError) -> Self {
        Self::new(error.code, error.message)
    }
}
