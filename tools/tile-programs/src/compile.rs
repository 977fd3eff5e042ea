//! A program through the compiler, in this process.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use melior::Context;
use melior::diagnostic::{Diagnostic, DiagnosticSeverity};
use tile_oracle::text::Text;
use tile_passes::{embed, ptx};

/// What the compiler says.
#[derive(Clone, Debug)]
pub struct Said {
    error: bool,
    line: Option<usize>,
    text: String,
}

/// What became of a program.
#[derive(Clone, Debug)]
pub enum Compiled {
    /// PTX, and the variant of each copy by its number.
    Ptx(String, BTreeMap<usize, String>),
    /// No PTX: the names of the causes, one for each copy that is refused, and the first error.
    Refused(Vec<String>, String),
    /// No PTX, for another reason than a copy's.
    Failed(String),
}

/// Names of the refusals that are found when a copy is read.
pub fn found_in_reading() -> impl Iterator<Item = &'static str> {
    READ.iter().map(|(_, name)| *name)
}

/// A context for any number of programs, one at a time.
pub struct Compiler {
    context: Context,
    said: Rc<RefCell<Vec<Said>>>,
}

impl Default for Compiler {
    fn default() -> Self {
        Self::new()
    }
}

impl Compiler {
    /// A context that listens.
    pub fn new() -> Self {
        let context = embed::context();
        embed::remarks_as_diagnostics(&context);
        let said = Rc::new(RefCell::new(Vec::new()));
        let heard = said.clone();
        context.attach_diagnostic_handler(move |diagnostic| {
            heard.borrow_mut().push(Said::new(&diagnostic));
            true
        });
        Compiler { context, said }
    }

    /// From text to PTX.
    pub fn compile(&self, text: &Text) -> Compiled {
        let printed = embed::parse(&self.context, &text.text).map(|mut module| ptx::print(&mut module, None, None));
        let said = self.said.take();
        let remarks = |kind: &str| -> Vec<(usize, &Said)> {
            let of = |said: &'_ Said| said.text.starts_with(kind).then(|| copy_at(text, said.line)).flatten();
            said.iter().filter_map(|said| Some((of(said)?, said))).collect()
        };
        match printed {
            Some(Ok(ptx)) => {
                let variants = remarks("[Passed]").into_iter().filter_map(|(copy, said)| {
                    // What does a copy that is done at once has a remark of its own.
                    Some((copy, said.name()?)).filter(|(_, name)| name != "synchronous")
                });
                Compiled::Ptx(ptx, variants.collect())
            }
            failed => {
                let why = failed.and_then(Result::err).map(|error| error.to_string());
                refusal(text, &said, &remarks("[Missed]"), why)
            }
        }
    }
}

impl Said {
    fn new(diagnostic: &Diagnostic<'_>) -> Self {
        let error = matches!(diagnostic.severity(), DiagnosticSeverity::Error);
        Said { error, line: line_of(&diagnostic.location().to_string()), text: diagnostic.to_string() }
    }

    /// The name in `[Missed] count-not-divisible | Category:…`.
    fn name(&self) -> Option<String> {
        Some(self.text.split_whitespace().nth(1)?.to_owned())
    }
}

/// Refusals that are found when a copy is read, before a variant is asked: what the error says, and a name for it. A
/// begin may be the same for all threads of a scope without a proof of it; regions may overlap in a copy that nobody
/// executes.
const READ: [(&str, &str); 2] = [
    ("not known to be the same for all threads", "offset-not-known-uniform"),
    ("got regions that overlap", "regions-overlap"),
];

/// Every error is about a copy, and that copy was declined by all who were asked: the last one's cause counts.
fn refusal(text: &Text, said: &[Said], missed: &[(usize, &Said)], why: Option<String>) -> Compiled {
    let errors: Vec<&Said> = said.iter().filter(|said| said.error).collect();
    let first = errors.first().map(|error| error.text.clone()).or(why).unwrap_or_else(|| "no error".to_owned());
    let cause = |error: &&Said| {
        let copy = copy_at(text, error.line)?;
        let read = READ.iter().find(|(words, _)| error.text.contains(words)).map(|(_, name)| (*name).to_owned());
        read.or_else(|| missed.iter().rev().find(|(missed, _)| *missed == copy)?.1.name())
    };
    match errors.iter().map(cause).collect::<Option<Vec<String>>>() {
        Some(causes) if !causes.is_empty() => Compiled::Refused(causes, first),
        _ => Compiled::Failed(first),
    }
}

fn copy_at(text: &Text, line: Option<usize>) -> Option<usize> {
    text.copies.iter().find(|(_, at)| Some(*at) == line).map(|(copy, _)| *copy)
}

/// The line in `loc("-":12:5)`.
fn line_of(location: &str) -> Option<usize> {
    let (_, place) = location.strip_prefix("loc(\"")?.rsplit_once("\":")?;
    place.split(':').next()?.parse().ok()
}
