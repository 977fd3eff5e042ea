//! The synchronization that would order two accesses that the simulator finds unordered, as reported by
//! `--tile-check-sync`.
//!
//! ```text
//!   error: schedule fair: kernel `k`, line 46, k.mlir:11:5, …: race: … at line 38 (…, k.mlir:9:5) …
//!   k.mlir:11:5: note: between the two, this orders them: gpu.barrier
//! ```

use std::path::Path;
use std::process::{Command, Stdio};

use crate::source;

/// The tool that checks that accesses are ordered.
const OPT: &str = "tile-opt";

/// The note of the check for the two source locations that a fault names; `None` for files other than MLIR, and where
/// the check reports no error with both locations.
pub fn note(file: &Path, chip: Option<&str>, fault: &str) -> Option<String> {
    if file.extension().is_none_or(|extension| extension != "mlir") {
        return None;
    }
    let check = chip.map_or_else(|| "--tile-check-sync".to_owned(), |chip| format!("--tile-check-sync=chip={chip}"));
    let mut command = Command::new(source::tool(OPT));
    command.arg(file).args([check.as_str(), "-o", "/dev/null"]);
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output().ok()?;
    find(&String::from_utf8_lossy(&output.stderr), fault)
}

/// The last note of the first error at one of the fault's locations that has a note at the other.
fn find(messages: &str, fault: &str) -> Option<String> {
    let is_place = |place: &str| fault.match_indices(place).any(|(at, _)| !continues(&fault[at + place.len()..]));
    let (mut at_error, mut at_other) = (false, false);
    for line in messages.lines() {
        if let Some((place, _)) = line.split_once(": error: ") {
            (at_error, at_other) = (is_place(place), false);
        } else if let Some((place, text)) = line.split_once(": note: ") {
            match () {
                () if text.ends_with(" it here") => at_other = is_place(place),
                () if at_error && at_other => return Some(line.to_owned()),
                () => {}
            }
        }
    }
    None
}

/// Whether a number continues in `rest`.
fn continues(rest: &str) -> bool {
    rest.starts_with(|next: char| next.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "\
k.mlir:7:5: error: 'tile.copy' op reads shared memory that an earlier operation writes, and nothing orders the two
k.mlir:3:5: note: 'tile.copy' writes it here
k.mlir:7:5: note: between the two, this orders them: nvvm.bar.warp.sync: both are threads of one warp
k.mlir:11:5: error: 'tile.copy' op reads shared memory that an earlier operation writes, and nothing orders the two
    tile.copy %t to %b
k.mlir:9:5: note: 'tile.copy' writes it here
k.mlir:11:5: note: between the two, this orders them: gpu.barrier
";

    #[test]
    fn the_error_with_both_places_counts() {
        let fault = |first: &str, second: &str| {
            find(
                SAID,
                &format!("kernel `k`, line 46, {first}, block (0,0,0): race: written at line 38 (`st`, {second})"),
            )
        };
        let barrier = "k.mlir:11:5: note: between the two, this orders them: gpu.barrier";
        assert_eq!(fault("k.mlir:11:5", "k.mlir:9:5").as_deref(), Some(barrier));
        assert_eq!(fault("k.mlir:9:5", "k.mlir:11:5").as_deref(), Some(barrier));
        assert!(fault("k.mlir:3:5", "k.mlir:7:5").is_some_and(|note| note.contains("bar.warp.sync")));
        assert_eq!(fault("k.mlir:11:5", "k.mlir:3:5"), None);
        assert_eq!(fault("k.mlir:11:55", "k.mlir:9:5"), None, "another column");
    }

    #[test]
    fn files_of_ptx_have_no_check() {
        assert_eq!(note(Path::new("k.ptx"), None, "race"), None);
    }
}
