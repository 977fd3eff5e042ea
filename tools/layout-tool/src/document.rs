//! The answer of a command, for people as text, for programs as JSON.

use serde_json::{Value, json};

use crate::compare::Comparison;
use crate::picture::{Picture, Table};
use crate::plan::Explanation;

/// What a command has found.
pub(crate) enum Document {
    /// Tables, which are drawn.
    Picture(Picture),
    /// A layout in some notation.
    Layout(String),
    Comparison(Comparison),
    Plan(Explanation),
    /// What shells and `man` read, whatever is asked for.
    Script(String),
}

impl Document {
    /// The document in lines.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Self::Picture(picture) => picture.draw(Default::default()),
            Self::Layout(layout) => format!("{layout}\n"),
            Self::Comparison(comparison) => format!("{}\n", verdict(comparison)),
            Self::Plan(plan) => plan.to_string(),
            Self::Script(text) => text.clone(),
        }
    }

    /// The document as JSON.
    pub(crate) fn to_json(&self) -> String {
        let document = match self {
            Self::Picture(picture) => json!({
                "tables": picture.tables.iter().map(table).collect::<Vec<_>>(),
                "arrows": picture.arrows,
                "notes": picture.notes,
            }),
            Self::Layout(layout) => json!({"layout": layout}),
            Self::Comparison(comparison) => json!({"equal": self.is_good(), "verdict": verdict(comparison)}),
            Self::Plan(plan) => plan.to_json(),
            Self::Script(text) => return text.clone(),
        };
        format!("{document:#}\n")
    }

    /// Whether the answer is the one for which the exit status is 0.
    pub(crate) fn is_good(&self) -> bool {
        !matches!(self, Self::Comparison(comparison) if *comparison != Comparison::Equal)
    }
}

fn table(table: &Table) -> Value {
    let cells: Vec<Vec<&str>> =
        table.cells.iter().map(|row| row.iter().map(|cell| cell.text.as_str()).collect()).collect();
    json!({"title": table.title, "rows": table.rows, "cells": cells})
}

fn verdict(comparison: &Comparison) -> String {
    match comparison {
        Comparison::Equal => "equal".to_owned(),
        Comparison::Shapes(one, other) => format!("different shapes: {one:?} and {other:?}"),
        Comparison::Differ(at, one, other) => format!("different: element {at:?} is at {one} and at {other}"),
        Comparison::Replicas => "different: the first copies of all elements are the same, others are not".to_owned(),
    }
}
