//! Compiles a program in this process.

use std::collections::BTreeMap;

use melior::Context;
use tile_oracle::text::Text;
use tile_passes::{Diagnostic, Options, Severity, compile, embed};

use crate::judging::{CHECK, passed};

/// The outcome of compiling a program.
#[derive(Clone, Debug)]
pub enum Compiled {
    /// PTX, and the variant of each copy by its number.
    Ptx(String, BTreeMap<usize, String>),
    /// No PTX: the names of the causes, one for each copy that is refused, and the first error.
    Refused(Vec<String>, String),
    /// No PTX, for a reason other than a copy.
    Failed(String),
}

/// The names of the refusals that occur when a copy is read.
pub fn found_in_reading() -> impl Iterator<Item = &'static str> {
    READ.iter().map(|(_, name)| *name)
}

/// A context for any number of programs, one at a time.
pub struct Compiler {
    context: Context,
}

impl Default for Compiler {
    fn default() -> Self {
        Self::new()
    }
}

impl Compiler {
    /// A context that reports remarks.
    pub fn new() -> Self {
        let context = embed::context();
        embed::remarks_as_diagnostics(&context);
        Compiler { context }
    }

    /// Compiles text to PTX.
    pub fn compile(&self, text: &Text) -> Compiled {
        self.compile_for(text, &Options::new().as_written())
    }

    /// Compiles for a version of PTX that states which bytes of a load are used.
    pub fn compile_saying_used_bytes(&self, text: &Text) -> Compiled {
        self.compile_for(text, &Options::new().as_written().features("+ptx83"))
    }

    /// Whether `--tile-check-sync` accepts a program.
    pub fn is_ordered(&self, text: &Text) -> bool {
        passed(&self.context, &text.text, CHECK).is_ok()
    }

    fn compile_for(&self, text: &Text, options: &Options) -> Compiled {
        let compiled = embed::parse(&self.context, &text.text).and_then(|mut module| compile(&mut module, options));
        let heard = compiled.as_ref().map_or_else(|error| error.diagnostics(), |ptx| &ptx.diagnostics);
        let remarks = |kind: &str| -> Vec<(usize, &Diagnostic)> {
            let copy = |remark: &Diagnostic| remark.message.starts_with(kind).then(|| copy_at(text, remark)).flatten();
            heard.iter().filter_map(|remark| Some((copy(remark)?, remark))).collect()
        };
        match &compiled {
            Ok(ptx) => {
                let variants = remarks("[Passed]").into_iter().rev().filter_map(|(copy, remark)| {
                    // The variant that does a synchronous copy has a separate remark.
                    Some((copy, name(remark)?)).filter(|(_, name)| name != "synchronous")
                });
                // A variant in steps is followed by the remarks of its steps: the first one is that of the copy.
                Compiled::Ptx(ptx.text.clone(), variants.collect())
            }
            Err(error) => refusal(text, heard, &remarks("[Missed]"), error),
        }
    }
}

/// The name in `[Missed] not-contiguous | Category:…`.
fn name(diagnostic: &Diagnostic) -> Option<String> {
    Some(diagnostic.message.split_whitespace().nth(1)?.to_owned())
}

/// Refusals that occur when a copy is read, before any variant is tried: a part of the error's text, and a name for it.
/// A start may be the same for all threads of a scope without a proof; regions may overlap in a copy that no thread
/// executes.
const READ: [(&str, &str); 4] = [
    ("not known to be the same for all threads", "offset-not-known-uniform"),
    ("got regions that overlap", "regions-overlap"),
    ("is masked, and counts on axis", "masked-thread-axis"),
    ("begins at a run-time value", "dynamic-begin-not-divisible"),
];

/// A refusal, if every error is about a copy that all variants tried have declined: the cause of the last variant is
/// taken.
fn refusal(text: &Text, heard: &[Diagnostic], missed: &[(usize, &Diagnostic)], why: &tile_passes::Error) -> Compiled {
    let errors: Vec<&Diagnostic> = heard.iter().filter(|message| message.severity == Severity::Error).collect();
    let first = errors.first().map_or_else(|| why.to_string(), |error| error.message.clone());
    let cause = |error: &&Diagnostic| {
        let copy = copy_at(text, error)?;
        let read = READ.iter().find(|(words, _)| error.message.contains(words)).map(|(_, name)| (*name).to_owned());
        read.or_else(|| name(missed.iter().rev().find(|(missed, _)| *missed == copy)?.1))
    };
    match errors.iter().map(cause).collect::<Option<Vec<String>>>() {
        Some(causes) if !causes.is_empty() => Compiled::Refused(causes, first),
        _ => Compiled::Failed(first),
    }
}

/// The copy that a diagnostic is about.
fn copy_at(text: &Text, diagnostic: &Diagnostic) -> Option<usize> {
    let line = usize::try_from(diagnostic.line()?).ok()?;
    text.copies.iter().find(|(_, at)| *at == line).map(|(copy, _)| *copy)
}
