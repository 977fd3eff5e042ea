//! Locations: of the checkout, of what cargo builds, and of caches.

use std::env;
use std::path::{Path, PathBuf};

/// The workspace's default members, which need no LLVM.
pub const NO_MLIR: [&str; 13] = [
    "tile-isa",
    "tile-layout",
    "tile-plan",
    "layout-tool",
    "ptx-sim",
    "tile-bench",
    "tile-cli",
    "tile-oracle",
    "tile-run",
    "tile-runtime",
    "tile-tune",
    "tma-model",
    "xtask",
];

/// The packages that have unit tests, each with the profile that these are built in. The crates that only compute use
/// the debug profile, which builds quickly, and their tests are short. The others use the release profile, in which
/// their dependencies are already built; another profile would build those again. (The planner, which tma-model calls, takes two
/// minutes of a core.)
pub const UNITS: [(&str, Profile); 14] = [
    ("tile-isa", Profile::Debug),
    ("tile-layout", Profile::Debug),
    ("tile-plan", Profile::Debug),
    ("ptx-sim", Profile::Debug),
    ("tile-oracle", Profile::Debug),
    ("tma-model", Profile::Release),
    ("xtask", Profile::Debug),
    ("tile-dialect", Profile::Release),
    ("tile-run", Profile::Release),
    ("tile-bench", Profile::Release),
    ("tile-bench-vulkan", Profile::Release),
    ("tile-conformance", Profile::Release),
    ("tile-runtime", Profile::Release),
    ("tile-tune", Profile::Release),
];

/// The variable from which proptest reads its seed.
pub const PROPERTY_SEED: &str = "PROPTEST_RNG_SEED";

/// The checkout's top folder. `cargo run` names this crate's folder; a binary that is started by hand uses the folder
/// that it was built from.
pub fn root() -> PathBuf {
    let here =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.ancestors().nth(2).map_or(here.clone(), Path::to_path_buf)
}

/// Cargo's target folder: `CARGO_TARGET_DIR` when set, else `target/` in the checkout.
pub fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// The folder of built tools for a cargo profile, release or debug.
pub fn bin(profile: Profile) -> PathBuf {
    target().join(profile.folder())
}

/// `path` relative to the checkout, for messages.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// The cargo profile in which tools are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Optimised; users and lit run these tools.
    Release,
    /// Unoptimised, with checked arithmetic.
    Debug,
}

impl Profile {
    /// The folder below the target folder.
    pub fn folder(self) -> &'static str {
        match self {
            Profile::Release => "release",
            Profile::Debug => "debug",
        }
    }

    /// The flag for cargo; none for the debug profile, which is its default.
    pub fn flag(self) -> Option<&'static str> {
        match self {
            Profile::Release => Some("--release"),
            Profile::Debug => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Packages missing in the list would be tested in both profiles, extra ones in none.
    #[test]
    fn what_needs_no_llvm_are_the_default_members() {
        let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace's manifest");
        let (_, rest) = manifest.split_once("\ndefault-members = [").expect("default members");
        let (list, _) = rest.split_once(']').expect("the end of the list");
        let name = |folder: &str| {
            let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("the crate's manifest");
            let (_, rest) = manifest.split_once("name = \"").expect("a name");
            rest.split('"').next().map(str::to_owned).expect("the end of the name")
        };
        let names: Vec<String> = list.split('"').skip(1).step_by(2).map(name).collect();
        assert_eq!(names, NO_MLIR);
    }

    /// Arithmetic is checked in both profiles; in the release profile only that of the workspace.
    #[test]
    fn arithmetic_is_checked_in_what_is_shipped() {
        let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace's manifest");
        let lines: Vec<&str> = manifest.lines().filter(|line| line.contains("overflow-checks =")).collect();
        assert_eq!(lines, ["overflow-checks = true", "\"*\".overflow-checks = false"]);
        let (_, release) = manifest.split_once("\n[profile.release]\n").expect("the release profile");
        let (flags, packages) = release.split_once("\n[profile.release.package]\n").expect("its packages");
        assert!(flags.contains("\noverflow-checks = true\n") && packages.contains("\n\"*\".overflow-checks = false\n"));
    }
}
