//! The file of measured times, a line for each, and today's date.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use tile_plan::linalg::ProductRecord;

use crate::error::TuneError;

/// Adds records to a file, which is made if it is missing. Records of the same product and schedule on the same GPU give way.
///
/// # Errors
/// The file has other lines, or cannot be read or written; it is left as it was.
pub fn add(path: &Path, records: Vec<ProductRecord>) -> Result<(), TuneError> {
    let mut all = read(path)?;
    records.into_iter().for_each(|record| record.replace(&mut all));
    let lines = all.iter().map(|record| serde_json::to_string(record).unwrap_or_default() + "\n");
    let beside = path.with_extension("new");
    let text: String = lines.collect();
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| TuneError::Write { path: path.into(), error })
}

/// The records of a file; none if there is no file.
///
/// # Errors
/// It cannot be read, or has another line.
pub fn read(path: &Path) -> Result<Vec<ProductRecord>, TuneError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| TuneError::Read { path: path.into(), error })?,
    };
    ProductRecord::of_lines(&text, |line| serde_json::from_str(line)).map_err(|(line, error)| TuneError::Record {
        path: path.into(),
        line,
        error,
    })
}

/// The day in UTC, as `2026-11-30`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    date((seconds / (24 * 60 * 60)) as i64)
}

/// The date so many days after 1970-01-01.
fn date(days: i64) -> String {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let (mut year, mut rest) = (1970, days);
    while rest >= 365 + i64::from(is_leap(year)) {
        rest -= 365 + i64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + i64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while rest >= lengths[month] {
        rest -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        let dates = [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_787, "2026-11-30")];
        for (days, text) in dates {
            assert_eq!(date(days), text);
        }
    }

    #[test]
    fn records_are_added_to_a_file_and_replace_others() {
        let path = std::env::temp_dir().join(format!("tile-tune-record-{}.json", std::process::id()));
        let record = |schedule: &str, measured: f64| ProductRecord {
            chip: "sm_90a".to_owned(),
            gpu: "NVIDIA H200".to_owned(),
            driver: "13.0".to_owned(),
            date: "2026-11-30".to_owned(),
            size: [4096; 3],
            elements: ["f16", "f16", "f32"].map(str::to_owned),
            schedule: schedule.to_owned(),
            estimate: 193.8,
            measured,
        };
        add(&path, vec![record("a", 200.0), record("b", 210.0)]).unwrap();
        add(&path, vec![record("b", 193.1), record("c", 250.0)]).unwrap();
        assert_eq!(read(&path).unwrap(), [record("a", 200.0), record("b", 193.1), record("c", 250.0)]);
        let first = "{\"chip\":\"sm_90a\",\"gpu\":\"NVIDIA H200\",\"driver\":\"13.0\",\"date\":\"2026-11-30\",\
                     \"size\":[4096,4096,4096],\"elements\":[\"f16\",\"f16\",\"f32\"],\"schedule\":\"a\",\
                     \"estimate\":193.8,\"measured\":200.0}";
        assert_eq!(fs::read_to_string(&path).unwrap().lines().next(), Some(first));
        fs::write(&path, format!("{first}\n\nno record\n")).unwrap();
        let error = add(&path, vec![record("a", 1.0)]).unwrap_err().to_string();
        assert!(error.contains(".json:3: ") && error.ends_with("expected a measured time of a product"), "{error}");
        fs::remove_file(&path).unwrap();
    }
}
