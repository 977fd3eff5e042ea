//! What each command does.

use std::process::ExitCode;

use tile_plan::choose_layout::AccessDirection;

use crate::algebra::{self, AlgebraError};
use crate::banks::WarpAccess;
use crate::compare::{Comparison, compare};
use crate::copy::sides;
use crate::described::Described;
use crate::error::ToolError;
use crate::modes::Modes;
use crate::notation::{read, write};
use crate::options::{Access, Command, Extents, Options, OutputOptions, Side, TileOptions, Two, ViewOptions};
use crate::picture::{Picture, View, holders};

pub(crate) fn run(options: &Options) -> Result<ExitCode, ToolError> {
    match &options.command {
        Command::Show { tile, view, output } => {
            let tables = vec![holders(&described(tile)?, &viewed(view))?];
            put(&Picture { tables, ..Picture::default() }, output)?;
        }
        Command::Banks { tile, lanes, lanes_shape, at, element_bytes, vector, access, output } => {
            let (element_bytes, vector) = (*element_bytes, *vector);
            let direction = match access {
                Access::Read => AccessDirection::Read,
                Access::Write => AccessDirection::Write,
            };
            let (tile, lanes) = (&described(tile)?, &read(lanes, extents(lanes_shape), tile.element_bits)?);
            put(&WarpAccess { tile, lanes, at: at.clone(), element_bytes, vector, direction }.picture()?, output)?;
        }
        Command::Copy { tile, destination, arrows, view, output } => {
            let source = described(tile)?;
            let destination = read(destination, Some(&source.shape), tile.element_bits)?;
            put(&sides(&source, &destination, &viewed(view), *arrows)?, output)?;
        }
        Command::Compose(two) => print(of_two(two, algebra::compose)?),
        Command::Divide(two) => print(of_two(two, algebra::divide)?),
        Command::Complement { layout, size } => {
            let modes = modes(layout)?;
            print(algebra::complement(&modes, size.unwrap_or_else(|| modes.cosize())).map_err(refused)?);
        }
        Command::Inverse { layout, side } => {
            let inverse = match side {
                Side::Left => algebra::left_inverse,
                Side::Right => algebra::right_inverse,
            };
            print(inverse(&modes(layout)?).map_err(refused)?);
        }
        Command::Compare { tile, other } => {
            let one = described(tile)?;
            return Ok(verdict(&compare(&one, &read(other, extents(&tile.shape), tile.element_bits)?)?));
        }
        Command::Convert { tile, to } => println!("{}", write(&described(tile)?, *to)?),
    }
    Ok(ExitCode::SUCCESS)
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

fn print(modes: Modes) {
    println!("{modes}");
}

fn put(picture: &Picture, output: &OutputOptions) -> Result<(), ToolError> {
    let text = picture.draw(output.format);
    let Some(path) = &output.output else {
        print!("{text}");
        return Ok(());
    };
    std::fs::write(path, text)
        .map_err(|error| ToolError::File { path: path.display().to_string(), reason: error.to_string() })
}

fn verdict(comparison: &Comparison) -> ExitCode {
    match comparison {
        Comparison::Equal => {
            println!("equal");
            return ExitCode::SUCCESS;
        }
        Comparison::Shapes(one, other) => println!("different shapes: {one:?} and {other:?}"),
        Comparison::Differ(at, one, other) => println!("different: element {at:?} is at {one} and at {other}"),
        Comparison::Replicas => println!("different: the first copies of all elements are the same, others are not"),
    }
    ExitCode::from(1)
}
