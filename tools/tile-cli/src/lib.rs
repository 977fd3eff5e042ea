#![doc = include_str!("../README.md")]

use std::io::Write;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::Command;
pub use clap_complete::Shell;

/// What a line may say of itself, and the colour of that.
const SEVERITIES: [(&str, AnsiColor); 3] =
    [("error:", AnsiColor::Red), ("warning:", AnsiColor::Yellow), ("note:", AnsiColor::Cyan)];

/// The script that completes the options and commands of a tool, which has the command's name, in a shell.
///
/// ```
/// use tile_cli::{Shell, completions};
///
/// let text = completions(clap::Command::new("tool").subcommand(clap::Command::new("show")), Shell::Fish);
/// assert!(text.contains("complete -c tool") && text.contains("show"));
/// ```
pub fn completions(mut tool: Command, shell: Shell) -> String {
    let name = tool.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut tool, name, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Prints lines to standard error, each with its severity in colour if that is a terminal and the environment does not ask for none
/// (`NO_COLOR`, `TERM=dumb`). A reader who has closed the pipe has read enough.
pub fn complain(text: &str) {
    let stderr = std::io::stderr();
    let has_colours = AutoStream::choice(&stderr) != ColorChoice::Never;
    let lines = text.lines().map(|line| if has_colours { coloured(line) } else { line.to_owned() } + "\n");
    let _ = stderr.lock().write_all(lines.collect::<String>().as_bytes());
}

/// A line whose severity is in colour: at its start, or after a place.
///
/// ```
/// assert_eq!(tile_cli::coloured("a.ptx:3:1: error: none"), "a.ptx:3:1: \u{1b}[1m\u{1b}[31merror:\u{1b}[0m none");
/// assert_eq!(tile_cli::coloured("328.0 328.0"), "328.0 328.0");
/// ```
pub fn coloured(line: &str) -> String {
    let first = SEVERITIES
        .iter()
        .filter_map(|&(word, colour)| Some((line.find(word)?, word, colour)))
        .min_by_key(|severity| severity.0);
    match first {
        Some((at, word, colour)) if at == 0 || line[..at].ends_with(": ") => {
            let style = Style::new().bold().fg_color(Some(colour.into()));
            format!("{}{style}{word}{style:#}{}", &line[..at], &line[at + word.len()..])
        }
        _ => line.to_owned(),
    }
}

/// The manual page of a tool, as `man` reads it.
///
/// ```
/// let text = tile_cli::manual(clap::Command::new("tool").version("1.2"));
/// assert!(text.contains(".TH tool 1"));
/// ```
pub fn manual(tool: Command) -> String {
    let mut text = Vec::new();
    // A vector takes all that is written.
    let _ = clap_mangen::Man::new(tool).render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
