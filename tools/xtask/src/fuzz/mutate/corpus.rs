//! The inputs that are mutated: those of all tests, and the tools' outputs for some of them.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use anyhow::Result;

use super::reduce::tokens;
use crate::fuzz::{Rng, files};
use crate::setup::Toolchain;
use crate::{build, workspace};

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// MLIR as text.
    Ir,
    /// MLIR as bytecode.
    Bytecode,
    /// PTX.
    Ptx,
    /// A file of cases for tile-conformance.
    Cases,
    /// Messages to the language server, as its `-lit-test` reads them.
    Messages,
}

impl InputKind {
    /// All kinds, and the percentage of mutants of each.
    pub const SHARES: [(InputKind, usize); 5] = [
        (InputKind::Ir, 60),
        (InputKind::Bytecode, 10),
        (InputKind::Ptx, 22),
        (InputKind::Cases, 6),
        (InputKind::Messages, 2),
    ];

    /// The extension of its files.
    pub fn ending(self) -> &'static str {
        match self {
            InputKind::Ir => "mlir",
            InputKind::Bytecode => "mlirbc",
            InputKind::Ptx => "ptx",
            InputKind::Cases => "json",
            InputKind::Messages => "lsp",
        }
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            InputKind::Ir => "MLIR text",
            InputKind::Bytecode => "MLIR bytecode",
            InputKind::Ptx => "PTX",
            InputKind::Cases => "cases",
            InputKind::Messages => "editor messages",
        }
    }
}

/// One input.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its kind.
    pub kind: InputKind,
    /// Its origin.
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// All inputs, and their tokens.
pub struct Corpus {
    inputs: Vec<Vec<Input>>,
    words: Vec<Vec<String>>,
}

/// The number of cases per input: reading a thousand for each mutant would take too long.
const CASES: usize = 2;

/// The maximum number of bytes of an input; longer ones are left out.
const MAX_BYTES: usize = 48 << 10;

impl Corpus {
    /// The inputs of the checkout. The tools must be built.
    pub fn gather(toolchain: &Toolchain) -> Result<Self> {
        let mut all = Vec::new();
        for path in
            files(&["test", "docs", "tools/tile-bench/programs", "tools/ptx-sim/tests", "tools/tile-run/tests"])?
        {
            let shown = workspace::shown(&path);
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let add = |kind, (number, text): (usize, String)| Input {
                kind,
                name: format!("{shown}#{number}"),
                bytes: text.into(),
            };
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("mlir") => all.extend(parts(&text).into_iter().enumerate().map(|part| add(InputKind::Ir, part))),
                Some("ptx") => all.push(add(InputKind::Ptx, (0, text))),
                Some("md") => all.extend(fences(&text).into_iter().enumerate().map(|fence| add(InputKind::Ir, fence))),
                Some("json") => all.extend(cases(&text).into_iter().enumerate().map(|one| add(InputKind::Cases, one))),
                Some("test") if shown.contains("Editor") => all.push(add(InputKind::Messages, (0, messages(&text)))),
                _ => {}
            }
        }
        let made = made(toolchain, &all);
        all.extend(made);
        all.retain(|input| input.bytes.len() <= MAX_BYTES);
        Ok(Self::of(all))
    }

    fn of(all: Vec<Input>) -> Self {
        let kinds = InputKind::SHARES.map(|(kind, _)| kind);
        let inputs: Vec<Vec<Input>> =
            kinds.iter().map(|kind| all.iter().filter(|input| input.kind == *kind).cloned().collect()).collect();
        let words = |inputs: &Vec<Input>| {
            let texts = inputs.iter().filter_map(|input| std::str::from_utf8(&input.bytes).ok());
            let all: BTreeSet<String> =
                texts.flat_map(|text| tokens(text).map(|range| text[range].to_owned()).collect::<Vec<_>>()).collect();
            all.into_iter().collect()
        };
        Corpus { words: inputs.iter().map(words).collect(), inputs }
    }

    #[cfg(test)]
    pub fn of_texts(kind: InputKind, texts: &[&str]) -> Self {
        Self::of(
            texts.iter().map(|text| Input { kind, name: String::new(), bytes: text.as_bytes().to_vec() }).collect(),
        )
    }

    /// A random input, with the kinds in their shares.
    pub fn draw(&self, rng: &mut Rng) -> &Input {
        loop {
            let mut left = rng.below(100);
            for ((_, share), inputs) in InputKind::SHARES.iter().zip(&self.inputs) {
                if left < *share {
                    if let Some(input) = rng.pick(inputs) {
                        return input;
                    }
                    break;
                }
                left -= share;
            }
        }
    }

    /// A random input of a kind.
    pub fn other(&self, kind: InputKind, rng: &mut Rng) -> Option<&str> {
        rng.pick(&self.inputs[index(kind)]).and_then(|input| std::str::from_utf8(&input.bytes).ok())
    }

    /// The distinct tokens of a kind's inputs.
    pub fn words(&self, kind: InputKind) -> &[String] {
        &self.words[index(kind)]
    }

    /// The number of inputs of each kind.
    pub fn sizes(&self) -> impl Iterator<Item = (InputKind, usize)> {
        InputKind::SHARES.iter().zip(&self.inputs).map(|((kind, _), inputs)| (*kind, inputs.len()))
    }
}

fn index(kind: InputKind) -> usize {
    InputKind::SHARES.iter().position(|share| share.0 == kind).unwrap_or(0)
}

/// The parts of a test file that are separate inputs.
fn parts(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    for line in text.lines() {
        if line.starts_with("// -----") || line.starts_with("//--- ") {
            out.push(String::new());
        } else if !line.trim_start().starts_with("// ")
            && let Some(last) = out.last_mut()
        {
            last.push_str(line);
            last.push('\n');
        }
    }
    out.retain(|part| !part.trim().is_empty());
    out
}

/// The MLIR fences of a page.
fn fences(text: &str) -> Vec<String> {
    let opened = text.split("\n```mlir").skip(1).filter_map(|rest| rest.split_once('\n'));
    opened.filter_map(|(_, rest)| Some(rest.split_once("\n```")?.0.to_owned())).collect()
}

/// The cases of a file, a few at a time. In the files each case is on a separate line.
fn cases(text: &str) -> Vec<String> {
    let lines: Vec<&str> =
        text.lines().map(|line| line.trim_end_matches(',')).filter(|l| l.starts_with("{\"id\"")).collect();
    lines.chunks(CASES).map(|some| format!("{{\"cases\": [\n{}\n]}}", some.join(",\n"))).collect()
}

/// The messages of a test of the language server.
fn messages(text: &str) -> String {
    text.lines()
        .filter(|line| line.starts_with('{') || *line == "// -----")
        .fold(String::new(), |all, line| all + line + "\n")
}

/// The tools' outputs for the demonstration programs: other forms, later stages, bytecode, PTX.
fn made(toolchain: &Toolchain, inputs: &[Input]) -> Vec<Input> {
    let whole =
        |input: &&Input| input.kind == InputKind::Ir && (input.name.contains("Seeds") || input.name.contains("README"));
    let mut out = Vec::new();
    for input in inputs.iter().filter(whole) {
        for (kind, tool, flags) in FORMS {
            let mut command = toolchain.command(build::tool(tool));
            command.args(*flags);
            if let Some(bytes) = filtered(&mut command, &input.bytes) {
                out.push(Input { kind: *kind, name: format!("{tool} {} {}", flags.join(" "), input.name), bytes });
            }
        }
    }
    out
}

const FORMS: &[(InputKind, &str, &[&str])] = &[
    (InputKind::Ir, "tile-opt", &["--mlir-print-op-generic"]),
    (InputKind::Ir, "tile-opt", &["--tile-align-layouts", "--mlir-print-op-generic"]),
    (InputKind::Ir, "tile-opt", &["--tile-align-layouts", "--tile-vectorize-copy"]),
    (InputKind::Ir, "tile-opt", &["--tile-align-layouts", "--tile-vectorize-copy", "--mlir-print-op-generic"]),
    (InputKind::Ir, "tile-opt", &["--lower-tile-copy"]),
    (InputKind::Ir, "tile-opt", &["--lower-tile-copy", "--tile-to-nvvm", "--mlir-print-op-generic"]),
    (InputKind::Bytecode, "tile-opt", &["--emit-bytecode"]),
    (InputKind::Bytecode, "tile-opt", &["--tile-align-layouts", "--tile-vectorize-copy", "--emit-bytecode"]),
    (InputKind::Bytecode, "tile-opt", &["--lower-tile-copy", "--emit-bytecode"]),
    (InputKind::Ptx, "tile-translate", &["--tile-to-ptx"]),
];

/// The output of a command for an input; `None` if it fails.
fn filtered(command: &mut Command, input: &[u8]) -> Option<Vec<u8>> {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    // The tools read all of their input before they print.
    child.stdin.take()?.write_all(input).ok()?;
    let output = child.wait_with_output().ok()?;
    output.status.success().then_some(output.stdout)
}
