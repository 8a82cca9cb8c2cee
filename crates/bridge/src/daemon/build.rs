//! Which build a binary is, so that a newer one may replace an older daemon and never the reverse.

use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

/// Version and stamp of a binary; ordered, the newer is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Build {
    version: (u32, u32, u32),
    /// When the binary was written, in milliseconds since 1970: two builds of one version differ in it.
    stamp: u64,
}

/// A text that is no build.
#[derive(Debug, thiserror::Error)]
#[error("not a build: {0}")]
pub struct NotABuild(String);

impl Build {
    /// The build of a binary of this crate's version.
    #[must_use]
    pub fn of(binary: &Path) -> Self {
        let written = binary.metadata().and_then(|metadata| metadata.modified()).ok();
        let stamp = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).and_then(|since| u64::try_from(since.as_millis()).ok());
        Self { version: version(env!("CARGO_PKG_VERSION")).unwrap_or_default(), stamp: stamp.unwrap_or(0) }
    }

    /// Reads `1.2.3+stamp`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (front, stamp) = text.split_once('+')?;
        Some(Self { version: version(front)?, stamp: stamp.parse().ok()? })
    }
}

fn version(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split('-').next()?.split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??, parts.next()??))
}

impl std::fmt::Display for Build {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (major, minor, patch) = self.version;
        write!(f, "{major}.{minor}.{patch}+{}", self.stamp)
    }
}

impl From<Build> for String {
    fn from(build: Build) -> Self {
        build.to_string()
    }
}

impl TryFrom<String> for Build {
    type Error = NotABuild;

    fn try_from(text: String) -> Result<Self, NotABuild> {
        Self::parse(&text).ok_or(NotABuild(text))
    }
}

#[cfg(test)]
mod tests {
    use super::Build;

    #[test]
    fn the_version_counts_before_the_stamp() {
        let build = |text| Build::parse(text).unwrap();
        assert!(build("0.2.0+1") > build("0.1.9+9"));
        assert!(build("0.1.0+2") > build("0.1.0+1"));
        assert_eq!(build("10.0.3+5").to_string(), "10.0.3+5");
        assert!(Build::parse("1.0").is_none());
    }
}
