//! driver.
