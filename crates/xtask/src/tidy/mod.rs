//! The project's own rules, over its files as text. Each finding says where and what to do.
//!
//! A rule is a function from the tree to findings and is tested with a planted fault. This module must not
//! know how the code is compiled: what rustc, clippy, tsc or eslint can say is left to them.

mod coverage;
mod crates;
mod layers;
mod text;
mod tree;

use std::fmt;
use std::path::Path;

use anyhow::Result;

use tree::Tree;

/// One place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    what: String,
}

impl Finding {
    fn new(path: impl Into<String>, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.into(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// Everything that is not tidy, by place.
pub(crate) fn check(root: &Path) -> Result<Vec<Finding>> {
    let tree = Tree::read(root)?;
    let mut findings = crates::dependencies(root)?;
    for rule in [
        layers::bridge,
        layers::lab,
        layers::protocol,
        layers::extension,
        text::headers,
        text::sizes,
        text::unfinished,
        text::sleeps,
        text::machines,
        text::module_names,
        coverage::extension_id,
        coverage::tools,
        coverage::commands,
        coverage::documents,
        coverage::maps,
    ] {
        findings.extend(rule(&tree));
    }
    findings.sort();
    findings.dedup();
    Ok(findings)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_project_is_tidy() {
        let findings = super::check(&crate::root()).unwrap();
        let list: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(list.is_empty(), "{} places are not tidy:\n{}", list.len(), list.join("\n"));
    }
}
