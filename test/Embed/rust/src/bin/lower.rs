//! Prints the result of running a pipeline on a file.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pipeline, file] = &arguments[..] else { return Err("expected a pipeline and a file".into()) };
    let lowered = tile::lower(&std::fs::read_to_string(file)?, file, pipeline)?;
    lowered.warnings.iter().for_each(|warning| eprintln!("{warning}"));
    print!("{}", lowered.text);
    Ok(())
}
