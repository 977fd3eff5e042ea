//! The choice of the C++ compiler: one of the family that built libMLIR.
//!
//! MLIR identifies an op trait by the name that the compiler prints for a template, and GCC and clang print different
//! names. A libMLIR that clang has built, as Debian's is, would not recognize a terminator of ours compiled by GCC.

use std::path::Path;
use std::process::Command;
use std::{env, fmt, fs};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Clang,
    Gcc,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Clang => "clang",
            Family::Gcc => "GCC",
        })
    }
}

/// The program to compile with; `None` leaves the choice to the `cc` crate, which follows `CXX`.
///
/// # Errors
/// When there is no compiler of that family, or `CXX` names one of the other family.
pub fn choose(prefix: &Path) -> Result<Option<String>, String> {
    let Some(built_by) = family_of_mlir(prefix) else { return Ok(None) };
    let usual = cc::Build::new().cpp(true).try_get_compiler().ok();
    let usual = usual.map(|tool| if tool.is_like_clang() { Family::Clang } else { Family::Gcc });
    if usual == Some(built_by) {
        return Ok(None);
    }
    let shown = prefix.display();
    if let (Some(variable), Some(got)) = (named(), usual) {
        return Err(format!(
            "{variable} is a compiler of the {got} family, but the libMLIR in {shown} was built by {built_by}, expected \
             {built_by}: MLIR knows traits of ops by names that the two print differently"
        ));
    }
    let candidates = match built_by {
        Family::Clang => {
            vec!["clang++-22".to_owned(), format!("{shown}/bin/clang++"), "clang++".to_owned()]
        }
        Family::Gcc => vec!["g++".to_owned()],
    };
    let compiler = candidates.iter().find(|name| runs(name)).cloned();
    let package = if built_by == Family::Clang { "clang-22" } else { "g++" };
    let missing = || {
        format!(
            "the libMLIR in {shown} was built by {built_by}, and no {built_by} was found (tried {}): install one (Debian: \
             {package}) or set CXX",
            candidates.join(", ")
        )
    };
    compiler.map(Some).ok_or_else(missing)
}

/// The environment variable that names a compiler, by the `cc` crate's rules.
fn named() -> Option<String> {
    let target = env::var("TARGET").unwrap_or_default();
    let names = [format!("CXX_{target}"), format!("CXX_{}", target.replace('-', "_")), "HOST_CXX".into(), "CXX".into()];
    names.into_iter().find(|name| env::var_os(name).is_some())
}

fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The family that built libMLIR: clang if clang's names of op traits are in it. `None` without a shared libMLIR.
fn family_of_mlir(prefix: &Path) -> Option<Family> {
    let name: &[u8] = b"DesiredTypeName = mlir::OpTrait::IsTerminator<Empty>]";
    let libraries = fs::read_dir(prefix.join("lib")).ok()?.filter_map(Result::ok);
    let shared = libraries.map(|entry| entry.path()).find(|path| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("libMLIR.so"))
    });
    let bytes = fs::read(shared?).ok()?;
    // Finds candidates by their first letter: a plain search of 100 MB takes seconds in an unoptimised build script.
    let mut rest = bytes.as_slice();
    while let Some(at) = rest.iter().position(|&byte| byte == name[0]) {
        rest = &rest[at..];
        if rest.starts_with(name) {
            return Some(Family::Clang);
        }
        rest = &rest[1..];
    }
    Some(Family::Gcc)
}
