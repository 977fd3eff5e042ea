//! Module-level directives (PTX ISA 11): version, target, variables, functions.

use std::collections::HashMap;

use super::ast::{Ast, Function};
use super::cursor::Cursor;
use super::lexer::{self, TokenKind};
use super::number::Number;
use super::{ParseError, Result, Space};
use super::{function, variable};

/// Parses a whole module.
pub(crate) fn parse(source: &str) -> Result<Ast> {
    let mut cursor = Cursor::new(lexer::tokens(source)?);
    let mut ast = Ast {
        version: (0, 0),
        target: String::new(),
        variables: Vec::new(),
        functions: Vec::new(),
        files: HashMap::new(),
    };
    while cursor.peek() != TokenKind::End {
        directive(&mut cursor, &mut ast)?;
    }
    if ast.version == (0, 0) {
        return Err(ParseError::new(Default::default(), "the module has no `.version`"));
    }
    ast.functions.iter_mut().for_each(|function| state_dynamic_shared(source, function));
    Ok(ast)
}

/// Parses the declarations of the kernels that a text defines, and nothing else.
pub(crate) fn kernels(source: &str) -> Result<Vec<Function>> {
    let mut cursor = Cursor::new(lexer::tokens(source)?);
    let mut kernels = Vec::new();
    while cursor.peek() != TokenKind::End {
        if cursor.peek() != TokenKind::Dot("entry") {
            cursor.bump();
            continue;
        }
        let (mut kernel, _) = function::header(&mut cursor)?;
        match cursor.bump() {
            TokenKind::Punct('{') => {
                state_dynamic_shared(source, &mut kernel);
                kernels.push(kernel);
            }
            TokenKind::Punct(';') => {}
            _ => return Err(ParseError::new(kernel.at, format!("`{}` has no body", kernel.name))),
        }
    }
    Ok(kernels)
}

/// Reads the dynamic shared memory that a kernel needs, which the compiler states in a comment below the text.
///
/// ```text
/// // dynamic shared memory of copy: 65536 bytes
/// ```
fn state_dynamic_shared(source: &str, kernel: &mut Function) {
    let start = format!("// dynamic shared memory of {}: ", kernel.name);
    let mut comments = source.lines().rev().take_while(|line| line.starts_with("//") || line.is_empty());
    let bytes = comments.find_map(|line| line.strip_prefix(&start)?.strip_suffix(" bytes")?.parse().ok());
    kernel.needs.dynamic_shared = bytes.unwrap_or(0);
}

fn directive(c: &mut Cursor<'_>, ast: &mut Ast) -> Result<()> {
    match c.peek() {
        TokenKind::Dot("version") => version(c, ast),
        TokenKind::Dot("target") => target(c, ast),
        TokenKind::Dot("address_size") => address_size(c),
        TokenKind::Dot("file") => file(c, ast),
        TokenKind::Dot("section") => section(c),
        TokenKind::Dot("visible" | "extern" | "weak" | "common") => {
            let external = c.peek() == TokenKind::Dot("extern");
            c.bump();
            definition(c, ast, external)
        }
        TokenKind::Dot(_) => definition(c, ast, false),
        _ => Err(c.expected("a module directive")),
    }
}

fn definition(c: &mut Cursor<'_>, ast: &mut Ast, external: bool) -> Result<()> {
    match c.peek() {
        TokenKind::Dot("entry" | "func") => {
            let function = function::parse(c)?;
            ast.functions.push(function);
            Ok(())
        }
        TokenKind::Dot("global" | "const" | "shared") => {
            let mut variable = variable::parse(c)?;
            // MLIR's `gpu.dynamic_shared_memory` is an array of one byte or none, whose address counts.
            if variable.space == Space::Shared && variable.name.starts_with("__dynamic_shmem__") {
                variable.size = variable.size.filter(|&bytes| bytes > 1);
            }
            if external && variable.size.is_some() {
                return Err(ParseError::new(
                    variable.at,
                    format!("`{}` is defined in another module, and there is no linking", variable.name),
                ));
            }
            ast.variables.push(variable);
            c.punct(';')
        }
        _ => Err(c.expected("`.entry`, `.func`, `.global`, `.const` or `.shared`")),
    }
}

fn version(c: &mut Cursor<'_>, ast: &mut Ast) -> Result<()> {
    c.bump();
    let TokenKind::Number(Number::Double(bits)) = c.peek() else {
        return Err(c.expected("a version such as 8.4"));
    };
    c.bump();
    let tenths = (f64::from_bits(bits) * 10.0).round();
    if !(10.0..1000.0).contains(&tenths) {
        return Err(c.expected("a version from 1.0 to 99.9"));
    }
    let tenths = tenths as u32;
    ast.version = (tenths / 10, tenths % 10);
    Ok(())
}

fn target(c: &mut Cursor<'_>, ast: &mut Ast) -> Result<()> {
    c.bump();
    ast.target = c.word("a target such as sm_90a")?.to_string();
    while c.eat(',') {
        c.word("a target option")?;
    }
    Ok(())
}

fn address_size(c: &mut Cursor<'_>) -> Result<()> {
    c.bump();
    let at = c.at();
    match c.unsigned("an address size")? {
        64 => Ok(()),
        other => Err(ParseError::new(at, format!("got address size {other}, expected 64"))),
    }
}

/// `.file 1 "name"[, time, size]`.
fn file(c: &mut Cursor<'_>, ast: &mut Ast) -> Result<()> {
    c.bump();
    let number = c.unsigned("a file number")?;
    let TokenKind::Text(name) = c.bump() else {
        return Err(c.expected("a file name"));
    };
    ast.files.insert(number, lexer::unescaped(name));
    while c.eat(',') {
        c.unsigned("a file time or size")?;
    }
    Ok(())
}

/// `.section .debug_info { … }`: debug data, which is skipped.
fn section(c: &mut Cursor<'_>) -> Result<()> {
    c.bump();
    c.dot("a section name")?;
    c.punct('{')?;
    loop {
        match c.bump() {
            TokenKind::Punct('}') => return Ok(()),
            TokenKind::End => return Err(c.expected("`}` that closes the section")),
            _ => {}
        }
    }
}
