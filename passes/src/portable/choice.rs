//! Which scan or kernel of a module is written: each is a program of its own, with its bindings.

/// The place of the scan or kernel of a name, or of the only one.
pub(super) fn one(names: &[String], wanted: Option<&str>) -> Result<usize, String> {
    let list = || names.iter().map(|name| format!("@{name}")).collect::<Vec<_>>().join(", ");
    let count = names.len();
    if names.is_empty() {
        return Err("has neither a tile.scan nor a kernel, expected one".to_owned());
    }
    let of_name = |name: &str| names.iter().enumerate().filter(|(_, it)| *it == name).map(|(at, _)| at).collect();
    let found: Vec<usize> = wanted.map_or_else(|| (0..count).collect(), of_name);
    match (found.as_slice(), wanted) {
        ([at], _) => Ok(*at),
        (_, None) => {
            Err(format!("has {count} scans and kernels, expected the name of one of them: {} (--kernel)", list()))
        }
        ([], Some(name)) => Err(format!("has neither a scan nor a kernel @{name}, expected one of {}", list())),
        (several, Some(name)) => Err(format!("has {} scans and kernels @{name}, expected one", several.len())),
    }
}
