//! chrome.
