//! Rows of tables: one line a row, each cell as `column: text`; what can be acted on keeps a line of its own.

use protocol::Node;

use super::line::Line;
use super::outline::{Builder, Place, Shape, line};
use super::words::push_quoted;

/// Longest column name before a cell, in characters.
const LONGEST_COLUMN: usize = 24;

/// Columns of a table, by its first row of headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    /// Index after the table's last node.
    pub(super) end: usize,
    /// Index of the row of headers.
    header: Option<usize>,
    names: Vec<String>,
}

impl Columns {
    /// Columns of the table at an index: its first row, when all its cells are headers (or empty corners).
    pub(super) fn of(shape: &Shape<'_>, at: usize) -> Self {
        let end = shape.ends[at];
        let none = Self { end, header: None, names: Vec::new() };
        let Some(row) = (at + 1..end).find(|&inner| shape.nodes[inner].role == "row") else {
            return none;
        };
        let cells: Vec<usize> = shape.children(row).collect();
        let heads = cells.iter().filter(|&&cell| shape.nodes[cell].role == "columnheader").count();
        if heads == 0 || cells.iter().any(|&cell| shape.nodes[cell].role != "columnheader" && !text_of(shape, cell).is_empty()) {
            return none;
        }
        // Headers that span columns are fewer than the cells below them, so that a count tells no column: none is named wrongly then.
        if rows_of(shape, at).any(|other| shape.children(other).count() > cells.len()) {
            return none;
        }
        Self { end, header: Some(row), names: cells.iter().map(|&cell| column_word(&text_of(shape, cell))).collect() }
    }

    /// Names for the cells of a row, when it has as many as there are columns.
    fn for_row(&self, row: usize, cells: usize) -> Option<&[String]> {
        (self.header != Some(row) && self.names.len() == cells).then_some(self.names.as_slice())
    }
}

impl<'a> Builder<'a> {
    /// The line of a row, and lines for those of its cells that are more than text.
    pub(super) fn row(&mut self, shape: &Shape<'a>, at: usize, depth: u32, columns: Option<&Columns>, place: Place, page: &mut Vec<Line>) {
        let node = &shape.nodes[at];
        let is_header = columns.is_some_and(|columns| columns.header == Some(at));
        self.count_node();
        let mut text = self.node_text(node, shape.frame, None);
        let cells: Vec<usize> = shape.children(at).collect();
        let names = columns.and_then(|columns| columns.for_row(at, cells.len()));
        let mut parts = String::new();
        let mut own = Vec::new();
        for (nth, &cell) in cells.iter().enumerate() {
            let column = names.and_then(|names| names.get(nth)).filter(|name| !name.is_empty());
            let inner = &shape.nodes[cell];
            if !is_plain(shape, cell) {
                own.push((cell, column));
                continue;
            }
            self.count_node();
            if !parts.is_empty() {
                parts.push_str(" · ");
            }
            if let Some(column) = column {
                parts.push_str(column);
                parts.push_str(": ");
            }
            self.push_text(&mut parts, inner.name.as_deref().unwrap_or_default());
        }
        if !parts.is_empty() {
            text.push_str(if is_header { " of columns: " } else { ": " });
            text.push_str(&parts);
        }
        page.push(line(depth, node.node.map(|number| (shape.frame.doc, number)), text));
        for (cell, column) in own {
            self.cell(shape, cell, depth + 1, column, place, page);
        }
    }

    /// A cell with more than text in it. Around a single thing it is left out.
    fn cell(&mut self, shape: &Shape<'a>, cell: usize, depth: u32, column: Option<&String>, place: Place, page: &mut Vec<Line>) {
        let node = &shape.nodes[cell];
        let own_depth = i64::from(node.depth);
        let bare = is_cell(node) && node.node.is_none() && node.states.is_empty() && node.name.is_none();
        let alone = bare && shape.children(cell).count() == 1;
        let (start, shift) = if alone { (cell + 1, i64::from(depth) - own_depth - 1) } else { (cell, i64::from(depth) - own_depth) };
        let first = page.len();
        if alone {
            self.count_node();
        }
        self.range(shape, start, shape.ends[cell], shift, place, page);
        if let (Some(column), Some(line)) = (column, page.get_mut(first)) {
            line.text = format!("{} (column {column})", line.text).into();
        }
    }
}

/// Rows of the table at an index, not those of tables inside its cells.
fn rows_of<'a>(shape: &'a Shape<'a>, table: usize) -> impl Iterator<Item = usize> + 'a {
    let mut next = table + 1;
    std::iter::from_fn(move || {
        while next < shape.ends[table] {
            let at = next;
            let is_row = shape.nodes[at].role == "row";
            next = if is_row { shape.ends[at] } else { at + 1 };
            if is_row {
                return Some(at);
            }
        }
        None
    })
}

fn is_cell(node: &Node) -> bool {
    matches!(node.role.as_str(), "cell" | "gridcell" | "columnheader" | "rowheader")
}

/// A cell that is nothing but its text.
fn is_plain(shape: &Shape<'_>, at: usize) -> bool {
    let node = &shape.nodes[at];
    is_cell(node)
        && shape.ends[at] == at + 1
        && node.node.is_none()
        && node.states.is_empty()
        && node.value.is_none()
        && node.opaque.is_none()
        && node.frame.is_none()
}

/// Text of a cell: its name, or that of the first named node in it.
fn text_of(shape: &Shape<'_>, at: usize) -> String {
    shape.nodes[at..shape.ends[at]].iter().find_map(|node| node.name.clone().filter(|name| !name.is_empty())).unwrap_or_default()
}

/// A column's name before a cell: bare when it is plain words, else in quotes; cut.
fn column_word(name: &str) -> String {
    let short: String = match name.char_indices().nth(LONGEST_COLUMN) {
        Some((cut, _)) => format!("{}…", name[..cut].trim_end()),
        None => name.to_owned(),
    };
    if short.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '.' | '/' | '%' | '#' | '…')) {
        return short;
    }
    let mut quoted = String::new();
    push_quoted(&mut quoted, &short);
    quoted
}
