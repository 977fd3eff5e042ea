//! Which programs a GPU can run, by the `.target` that they state.

/// The `.target` of a PTX text.
pub(super) fn target(ptx: &str) -> Option<&str> {
    let rest = ptx.lines().find_map(|line| line.trim_start().strip_prefix(".target"))?;
    rest.trim().split([',', ' ', '/']).next()
}

/// Whether a GPU of this compute capability runs programs for `target`: `sm_80` runs on all from 8.0 on, `sm_100f` on
/// those of its family (10.x) from 10.0 on, `sm_90a` on 9.0 alone.
pub(super) fn runs(target: &str, capability: (i32, i32)) -> bool {
    let Some(name) = target.strip_prefix("sm_") else { return false };
    let digits = name.trim_end_matches(['a', 'f']);
    let Ok(number) = digits.parse::<i32>() else { return false };
    let wanted = (number / 10, number % 10);
    match &name[digits.len()..] {
        "" => wanted <= capability,
        "f" => wanted.0 == capability.0 && wanted <= capability,
        "a" => wanted == capability,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_found() {
        let text = "//\n.version 8.6\n\t.target sm_90a, debug\n.address_size 64";
        assert_eq!(target(text), Some("sm_90a"));
        assert_eq!(target(".version 8.6"), None);
    }

    #[test]
    fn later_chips_run_portable_programs_only() {
        for (name, capability, wanted) in [
            ("sm_80", (9, 0), true),
            ("sm_90", (9, 0), true),
            ("sm_90a", (9, 0), true),
            ("sm_90a", (10, 0), false),
            ("sm_100", (9, 0), false),
            ("sm_100f", (10, 3), true),
            ("sm_103f", (10, 0), false),
            ("sm_100a", (10, 3), false),
            ("compute_90", (9, 0), false),
        ] {
            assert_eq!(runs(name, capability), wanted, "{name} on {capability:?}");
        }
    }
}
