//! Reading the parts of messages and artifacts.

use a2a::{Part, PartContent};
use serde_json::Value;

/// The first text part's text, or the empty string.
pub fn first_text(parts: &[Part]) -> &str {
    parts.iter().find_map(Part::as_text).unwrap_or_default()
}

/// All text parts' text, one after the other.
pub fn joined_text(parts: &[Part]) -> String {
    parts.iter().filter_map(Part::as_text).collect()
}

/// The values of the data parts.
pub fn data_values(parts: &[Part]) -> impl Iterator<Item = &Value> {
    parts.iter().filter_map(|part| match &part.content {
        PartContent::Data(value) => Some(value),
        _ => None,
    })
}
