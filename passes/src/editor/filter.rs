//! The handling of each message.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::frame::Frame;
use crate::nesting::{self, LIMIT, TooDeep};

/// The maximum number of levels of a message. Those of the protocol have a dozen.
const LEVELS: usize = 128;

/// Remembers which documents nest too deep.
#[derive(Default)]
pub struct Filter {
    refused: HashMap<String, TooDeep>,
}

impl Filter {
    /// A message of the editor as the server may see it; `None` for one that it must not see.
    pub fn incoming(&mut self, frame: Frame) -> Option<Frame> {
        if levels(&frame.0) > LEVELS {
            eprintln!("error: dropped a message that nests deeper than {LEVELS} levels");
            return None;
        }
        // The server itself refuses what is not JSON.
        let Ok(mut message) = serde_json::from_slice::<Value>(&frame.0) else { return Some(frame) };
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
        let Some(document) = message.pointer("/params/textDocument/uri").and_then(Value::as_str) else {
            return Some(frame);
        };
        let document = document.to_owned();
        let changed = match method.as_str() {
            "textDocument/didOpen" => self.check(&document, message.pointer_mut("/params/textDocument/text")),
            "textDocument/didChange" => self.check_changes(&document, message.pointer_mut("/params/contentChanges"))?,
            _ => false,
        };
        Some(if changed { rewritten(&message, &frame) } else { frame })
    }

    /// Empties a text that nests too deep.
    fn check(&mut self, document: &str, text: Option<&mut Value>) -> bool {
        self.refused.remove(document);
        let Some((text, place)) = text.and_then(|text| {
            let place = nesting::check(text.as_str()?.as_bytes()).err()?;
            Some((text, place))
        }) else {
            return false;
        };
        self.refused.insert(document.to_owned(), place);
        *text = Value::from("");
        true
    }

    /// The same for changes, each of which is a whole text: [`Filter::outgoing`] makes the server request that.
    fn check_changes(&mut self, document: &str, changes: Option<&mut Value>) -> Option<bool> {
        let Some(changes) = changes.and_then(Value::as_array_mut) else { return Some(false) };
        if changes.iter().any(|change| change.get("range").is_some()) {
            eprintln!("error: dropped a partial change of {document}, expected whole texts");
            return None;
        }
        let changed: Vec<bool> =
            changes.iter_mut().map(|change| self.check(document, change.get_mut("text"))).collect();
        Some(changed.contains(&true))
    }

    /// A message of the server as the editor sees it.
    pub fn outgoing(&self, frame: Frame) -> Frame {
        let Ok(mut message) = serde_json::from_slice::<Value>(&frame.0) else { return frame };
        if let Some(kind) = message.pointer_mut("/result/capabilities/textDocumentSync/change") {
            const WHOLE: u32 = 1;
            *kind = WHOLE.into();
            return rewritten(&message, &frame);
        }
        let document = message.pointer("/params/uri").and_then(Value::as_str);
        let Some(place) = document.and_then(|document| self.refused.get(document)) else { return frame };
        let Some(diagnostics) = message.pointer_mut("/params/diagnostics") else { return frame };
        let at = json!({ "line": place.line - 1, "character": place.column - 1 });
        *diagnostics = json!([{
            "category": "Parse Error",
            "message": format!("nests deeper than {LIMIT} levels"),
            "range": { "start": at, "end": at },
            "severity": 1,
            "source": "mlir",
        }]);
        rewritten(&message, &frame)
    }
}

/// A changed message, on one line or on several, as it was.
fn rewritten(message: &Value, like: &Frame) -> Frame {
    let text = if like.0.contains(&b'\n') { serde_json::to_vec_pretty(message) } else { serde_json::to_vec(message) };
    Frame(text.expect("a JSON value has a text"))
}

/// The nesting depth of arrays and objects, whether or not the text is valid.
fn levels(text: &[u8]) -> usize {
    let (mut depth, mut most, mut quoted, mut escaped) = (0usize, 0, false, false);
    for &byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: impl ToString) -> Frame {
        Frame(text.to_string().into_bytes())
    }

    fn opened(filter: &mut Filter, text: &str) -> Value {
        let message = json!({
            "method": "textDocument/didOpen",
            "params": { "textDocument": { "uri": "file:///a", "text": text } },
        });
        serde_json::from_slice(&filter.incoming(frame(message)).unwrap().0).unwrap()
    }

    fn published(filter: &Filter) -> Value {
        let message = json!({ "params": { "uri": "file:///a", "diagnostics": [] } });
        serde_json::from_slice(&filter.outgoing(frame(message)).0).unwrap()
    }

    #[test]
    fn messages_that_nest_too_deep_are_dropped() {
        let mut filter = Filter::default();
        assert_eq!(filter.incoming(frame("[".repeat(200_000))), None);
        assert_eq!(filter.incoming(frame(format!("\"\\ud800\" {}", "{\"a\":".repeat(200_000)))), None);
        assert!(filter.incoming(frame(format!("[\"{}\"]", "[".repeat(1000)))).is_some());
        assert_eq!(filter.incoming(frame("no JSON")), Some(frame("no JSON")));
    }

    #[test]
    fn documents_that_nest_too_deep_are_empty_and_have_a_diagnostic() {
        let mut filter = Filter::default();
        assert_eq!(opened(&mut filter, "module {}")["params"]["textDocument"]["text"], "module {}");
        assert_eq!(published(&filter)["params"]["diagnostics"], json!([]));
        assert_eq!(opened(&mut filter, &"module {\n".repeat(20_000))["params"]["textDocument"]["text"], "");
        let diagnostic = &published(&filter)["params"]["diagnostics"][0];
        assert_eq!(diagnostic["message"], "nests deeper than 256 levels");
        assert_eq!(diagnostic["range"]["start"], json!({ "line": 256, "character": 7 }));
        opened(&mut filter, "module {}");
        assert_eq!(published(&filter)["params"]["diagnostics"], json!([]));
    }

    #[test]
    fn changes_are_whole_texts() {
        let mut filter = Filter::default();
        let capabilities = json!({ "result": { "capabilities": { "textDocumentSync": { "change": 2 } } } });
        let answer: Value = serde_json::from_slice(&filter.outgoing(frame(capabilities)).0).unwrap();
        assert_eq!(answer["result"]["capabilities"]["textDocumentSync"]["change"], 1);
        let change = |change| {
            let document = json!({ "uri": "file:///a" });
            frame(json!({
                "method": "textDocument/didChange",
                "params": { "textDocument": document, "contentChanges": [change] },
            }))
        };
        assert_eq!(filter.incoming(change(json!({ "range": {}, "text": "(" }))), None);
        let emptied = filter.incoming(change(json!({ "text": "(".repeat(1000) }))).unwrap();
        let emptied: Value = serde_json::from_slice(&emptied.0).unwrap();
        assert_eq!(emptied["params"]["contentChanges"][0]["text"], "");
        assert_eq!(published(&filter)["params"]["diagnostics"].as_array().unwrap().len(), 1);
    }
}
