//! Which scan of a module is written: portable programs bind one array, so each scan is a program of its own.

/// The place of the scan whose kernel has a name, or of the only one.
pub(super) fn one(names: &[String], wanted: Option<&str>) -> Result<usize, String> {
    let list = || names.iter().map(|name| format!("@{name}")).collect::<Vec<_>>().join(", ");
    let count = names.len();
    if names.is_empty() {
        return Err("has 0 tile.scan, expected one: portable targets take scans alone".to_owned());
    }
    let of_name = |name: &str| names.iter().enumerate().filter(|(_, it)| *it == name).map(|(at, _)| at).collect();
    let found: Vec<usize> = wanted.map_or_else(|| (0..count).collect(), of_name);
    match (found.as_slice(), wanted) {
        ([at], _) => Ok(*at),
        (_, None) => Err(format!("has {count} tile.scan, expected the name of one of them: {} (--scan)", list())),
        ([], Some(name)) => Err(format!("has no tile.scan of @{name}, expected one of {}", list())),
        (several, Some(name)) => Err(format!("has {} tile.scan of @{name}, expected one", several.len())),
    }
}
