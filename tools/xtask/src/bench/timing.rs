//! Reads the output of `--mlir-timing --mlir-output-format=json`.

use anyhow::{Context, Result};

/// Seconds of wall time in one run of an opt tool.
#[derive(Debug, PartialEq)]
pub struct Timing {
    /// The time of each pass or nested pipeline, in order.
    pub passes: Vec<(String, f64)>,
    /// The time to parse the input.
    pub parser: f64,
    /// The time to print the result.
    pub output: f64,
}

impl Timing {
    /// The time of the whole pass pipeline.
    pub fn pipeline(&self) -> f64 {
        self.passes.iter().map(|(_, seconds)| seconds).sum()
    }
}

/// Reads the outermost timers; each that is neither parsing, printing nor MLIR's remainder is a pass or a nested
/// pipeline. Nested timers are indented, and already included in their parents.
///
/// ```text
/// [
/// {"wall": {"duration":   0.0031, "percentage":  67.0}, "name": "Parser", "passes": [
/// {}]},
/// {"wall": {"duration":   0.0046, "percentage": 100.0}, "name": "Total"}
/// ]
/// ```
pub fn parse(text: &str) -> Result<Timing> {
    let mut timing = Timing { passes: Vec::new(), parser: 0.0, output: 0.0 };
    let mut total = None;
    for (name, seconds) in text.lines().filter_map(timer) {
        match name {
            "Parser" => timing.parser += seconds,
            "Output" => timing.output += seconds,
            "Rest" => {}
            "Total" => total = Some(seconds),
            _ => timing.passes.push((name.to_owned(), seconds)),
        }
    }
    total.with_context(|| format!("no timing in the tool's output:\n{text}"))?;
    Ok(timing)
}

/// The name and wall seconds in the line of an outermost timer.
fn timer(line: &str) -> Option<(&str, f64)> {
    let entry = line.strip_prefix('{')?;
    let (_, wall) = entry.split_once("\"wall\": {\"duration\":")?;
    let (seconds, _) = wall.split_once(',')?;
    let (_, name) = entry.split_once("\"name\": \"")?;
    let (name, _) = name.split_once('"')?;
    Some((name, seconds.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_timers_are_counted_once() {
        let text = r#"warning: something else
[
{"user": {"duration":   0.0009, "percentage":  47.0}, "wall": {"duration":   0.0010, "percentage":  49.4}, "name": "Parser", "passes": [
{}]},
{"user": {"duration":   0.0006, "percentage":  31.3}, "wall": {"duration":   0.0050, "percentage":  27.9}, "name": "Pipeline Collection : ['gpu.module']", "passes": [
  {"user": {"duration":   0.0001, "percentage":   4.0}, "wall": {"duration":   0.0040, "percentage":   4.2}, "name": "'gpu.module' Pipeline", "passes": [
  {}]},
{}]},
{"wall": {"duration":   0.0020, "percentage":   4.2}, "name": "CSE", "passes": [
{}]},
{"user": {"duration":   0.0002, "percentage":   8.5}, "wall": {"duration":   0.0003, "percentage":   9.0}, "name": "Output", "passes": [
{}]},
{"user": {"duration":   0.0003, "percentage":  13.2}, "wall": {"duration":   0.0003, "percentage":  13.8}, "name": "Rest"},
{"user": {"duration":   0.0019, "percentage": 100.0}, "wall": {"duration":   0.0086, "percentage": 100.0}, "name": "Total"}
]"#;
        let timing = parse(text).unwrap();
        let passes = vec![("Pipeline Collection : ['gpu.module']".into(), 0.005), ("CSE".into(), 0.002)];
        assert_eq!(timing, Timing { passes, parser: 0.001, output: 0.0003 });
        assert_eq!(timing.pipeline(), 0.007);
    }

    #[test]
    fn text_without_timing_is_an_error() {
        assert!(parse("error: no such pass").is_err());
    }
}
