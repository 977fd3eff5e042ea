//! What each command does.

use std::fmt::Display;

use clap::CommandFactory;
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};
use tile_plan::target::Target;

use crate::Answer;
use crate::algebra::{self, AlgebraError};
use crate::banks::WarpAccess;
use crate::compare::compare;
use crate::copy::sides;
use crate::described::Described;
use crate::document::Document;
use crate::error::ToolError;
use crate::modes::Modes;
use crate::notation::{read, write};
use crate::options::{Command, Extents, Options, OutputOptions, PlanOptions, Side, TileOptions, Two, ViewOptions};
use crate::picture::{Format, Picture, View, holders};
use crate::plan::{self, Explanation};

pub(crate) fn run(options: &Options) -> Result<Answer, ToolError> {
    let document = document(&options.command)?;
    let status = if document.is_good() { 0 } else { 1 };
    let output = options.command.output();
    let format = output.map_or(Format::Text, |output| output.format);
    let text = match &document {
        _ if options.json && format != Format::Text => {
            return Err(ToolError::Refused("got --json and --format, expected one of them".to_owned()));
        }
        document if options.json => document.to_json(),
        Document::Picture(picture) => picture.draw(format),
        document => document.to_text(),
    };
    let Some(path) = output.and_then(|output| output.output.as_ref()) else { return Ok(Answer { text, status }) };
    match std::fs::write(path, text) {
        Ok(()) => Ok(Answer { text: String::new(), status }),
        Err(error) => Err(ToolError::File { path: path.display().to_string(), reason: error.to_string() }),
    }
}

impl Command {
    /// Where the picture of a command goes that draws one.
    fn output(&self) -> Option<&OutputOptions> {
        match self {
            Self::Show { output, .. } | Self::Banks { output, .. } | Self::Copy { output, .. } => Some(output),
            _ => None,
        }
    }
}

fn document(command: &Command) -> Result<Document, ToolError> {
    Ok(match command {
        Command::Show { tile, view, .. } => {
            let tables = vec![holders(&described(tile)?, &viewed(view))?];
            Document::Picture(Picture { tables, ..Picture::default() })
        }
        Command::Banks { tile, lanes, lanes_shape, at, element_bytes, vector, .. } => {
            let (element_bytes, vector) = (*element_bytes, *vector);
            let (tile, lanes) = (&described(tile)?, &read(lanes, extents(lanes_shape), tile.element_bits)?);
            let access = WarpAccess { tile, lanes, at: at.clone(), element_bytes, vector };
            Document::Picture(access.picture()?)
        }
        Command::Copy { tile, destination, arrows, view, .. } => {
            let source = described(tile)?;
            let destination = read(destination, Some(&source.shape), tile.element_bits)?;
            Document::Picture(sides(&source, &destination, &viewed(view), *arrows)?)
        }
        Command::Plan { tile, destination, options } => Document::Plan(planned(tile, destination, options)?),
        Command::Compose(two) => layout(of_two(two, algebra::compose)?),
        Command::Divide(two) => layout(of_two(two, algebra::divide)?),
        Command::Complement { layout: operand, size } => {
            let modes = modes(operand)?;
            layout(algebra::complement(&modes, size.unwrap_or_else(|| modes.cosize())).map_err(refused)?)
        }
        Command::Inverse { layout: operand, side } => {
            let inverse = match side {
                Side::Left => algebra::left_inverse,
                Side::Right => algebra::right_inverse,
            };
            layout(inverse(&modes(operand)?).map_err(refused)?)
        }
        Command::Compare { tile, other } => {
            let one = described(tile)?;
            Document::Comparison(compare(&one, &read(other, extents(&tile.shape), tile.element_bits)?)?)
        }
        Command::Convert { tile, to } => layout(write(&described(tile)?, *to)?),
        Command::Completions { shell } => Document::Script(tile_cli::completions(Options::command(), *shell)),
        Command::Man => Document::Script(tile_cli::manual(Options::command())),
    })
}

fn extents(extents: &Option<Extents>) -> Option<&[i64]> {
    extents.as_ref().map(|extents| &extents.0[..])
}

fn described(tile: &TileOptions) -> Result<Described, ToolError> {
    read(&tile.layout, extents(&tile.shape), tile.element_bits)
}

fn viewed(view: &ViewOptions) -> View {
    let region = view.region.as_ref().map(|region| region.0.clone()).unwrap_or_default();
    View { axis: view.axis, at: view.at.clone(), region, chunk: view.chunk }
}

fn modes(text: &str) -> Result<Modes, ToolError> {
    Modes::of(&read(text, None, 16)?)
}

fn refused(error: AlgebraError) -> ToolError {
    ToolError::Refused(error.to_string())
}

fn of_two(two: &Two, operation: fn(&Modes, &Modes) -> Result<Modes, AlgebraError>) -> Result<Modes, ToolError> {
    operation(&modes(&two.a)?, &modes(&two.b)?).map_err(refused)
}

fn layout(answer: impl Display) -> Document {
    Document::Layout(answer.to_string())
}

/// How the compiler does a copy.
fn planned(tile: &TileOptions, destination: &str, options: &PlanOptions) -> Result<Explanation, ToolError> {
    let source = described(tile)?;
    let destination = read(destination, Some(&source.shape), tile.element_bits)?;
    let target = Target::parse(&options.chip).map_err(|error| ToolError::Refused(error.to_string()))?;
    let side = |described: Described, space| Operand::whole(space, described.layout, &described.shape, options.align);
    let (source, destination) = (side(source, options.from), side(destination, options.to));
    let element = Element::new(tile.element_bits, format!("i{}", tile.element_bits));
    let mut problem = Problem::new(source, destination, element, Threads::all(options.scope, Some(options.threads)));
    problem.asynchronous = options.asynchronous.then(|| Asynchronous::new(Completion::Group));
    plan::explained(&problem, &target)
}
