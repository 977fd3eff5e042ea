//! What each command does.

use std::fmt::Display;

use clap::CommandFactory;
use tile_plan::choose_layout::AccessDirection;
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};
use tile_plan::target::Target;

use crate::Answer;
use crate::algebra::{self, AlgebraError};
use crate::banks::WarpAccess;
use crate::compare::{Comparison, compare};
use crate::copy::sides;
use crate::described::Described;
use crate::error::ToolError;
use crate::modes::Modes;
use crate::notation::{read, write};
use crate::options::{
    Access, Command, Extents, Options, OutputOptions, PlanOptions, Side, TileOptions, Two, ViewOptions,
};
use crate::picture::{Picture, View, holders};
use crate::plan;

pub(crate) fn run(options: &Options) -> Result<Answer, ToolError> {
    let text = match &options.command {
        Command::Show { tile, view, output } => {
            let tables = vec![holders(&described(tile)?, &viewed(view))?];
            put(&Picture { tables, ..Picture::default() }, output)?
        }
        Command::Banks { tile, lanes, lanes_shape, at, element_bytes, vector, access, output } => {
            let (element_bytes, vector) = (*element_bytes, *vector);
            let direction = match access {
                Access::Read => AccessDirection::Read,
                Access::Write => AccessDirection::Write,
            };
            let (tile, lanes) = (&described(tile)?, &read(lanes, extents(lanes_shape), tile.element_bits)?);
            put(&WarpAccess { tile, lanes, at: at.clone(), element_bytes, vector, direction }.picture()?, output)?
        }
        Command::Copy { tile, destination, arrows, view, output } => {
            let source = described(tile)?;
            let destination = read(destination, Some(&source.shape), tile.element_bits)?;
            put(&sides(&source, &destination, &viewed(view), *arrows)?, output)?
        }
        Command::Plan { tile, destination, of } => planned(tile, destination, of)?,
        Command::Compose(two) => line(of_two(two, algebra::compose)?),
        Command::Divide(two) => line(of_two(two, algebra::divide)?),
        Command::Complement { layout, size } => {
            let modes = modes(layout)?;
            line(algebra::complement(&modes, size.unwrap_or_else(|| modes.cosize())).map_err(refused)?)
        }
        Command::Inverse { layout, side } => {
            let inverse = match side {
                Side::Left => algebra::left_inverse,
                Side::Right => algebra::right_inverse,
            };
            line(inverse(&modes(layout)?).map_err(refused)?)
        }
        Command::Compare { tile, other } => {
            let one = described(tile)?;
            return Ok(verdict(&compare(&one, &read(other, extents(&tile.shape), tile.element_bits)?)?));
        }
        Command::Convert { tile, to } => line(write(&described(tile)?, *to)?),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut Options::command(), "tile-layout", &mut text);
            String::from_utf8_lossy(&text).into_owned()
        }
        Command::Man => {
            let mut text = Vec::new();
            // A vector takes all that is written.
            let _ = clap_mangen::Man::new(Options::command()).render(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        }
    };
    Ok(Answer { text, status: 0 })
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

fn line(answer: impl Display) -> String {
    format!("{answer}\n")
}

/// How the compiler does a copy.
fn planned(tile: &TileOptions, destination: &str, of: &PlanOptions) -> Result<String, ToolError> {
    let source = described(tile)?;
    let destination = read(destination, Some(&source.shape), tile.element_bits)?;
    let target = Target::parse(&of.chip).map_err(|error| ToolError::Refused(error.to_string()))?;
    let side = |described: Described, space| Operand::whole(space, described.layout, &described.shape, of.align);
    let (source, destination) = (side(source, of.from), side(destination, of.to));
    let element = Element::new(tile.element_bits, format!("i{}", tile.element_bits));
    let mut problem = Problem::new(source, destination, element, Threads::all(of.scope, Some(of.threads)));
    problem.asynchronous = of.asynchronous.then(|| Asynchronous::new(Completion::Group));
    plan::explained(&problem, &target)
}

/// The picture, or nothing where it went to a file.
fn put(picture: &Picture, output: &OutputOptions) -> Result<String, ToolError> {
    let text = picture.draw(output.format);
    let Some(path) = &output.output else { return Ok(text) };
    match std::fs::write(path, text) {
        Ok(()) => Ok(String::new()),
        Err(error) => Err(ToolError::File { path: path.display().to_string(), reason: error.to_string() }),
    }
}

fn verdict(comparison: &Comparison) -> Answer {
    let text = match comparison {
        Comparison::Equal => return Answer { text: line("equal"), status: 0 },
        Comparison::Shapes(one, other) => format!("different shapes: {one:?} and {other:?}"),
        Comparison::Differ(at, one, other) => format!("different: element {at:?} is at {one} and at {other}"),
        Comparison::Replicas => "different: the first copies of all elements are the same, others are not".to_owned(),
    };
    Answer { text: line(text), status: 1 }
}
