//! The command line.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tile_cli::Shell;
use tile_isa::words::one_of;
use tile_isa::{Scope, Space};
use tile_layout::Axis;

use crate::notation::Notation;
use crate::picture::Format;

const AFTER: &str =
    "Layouts are read in the project's notation, in CuTe's, as types of CuTe IR, or as Triton's linear layouts:
  '(8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>'    '#tile.fragment<mma.m16n8k16.a>' with --shape 16x16
  'Sw<3,3,3> o 0 o (8,64):(64,1)'    '!cute.layout<\"(8,64):(64,1)\">'
  '{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}'

Examples:
  tile-layout show '(8, 4, 2) : (4@laneid, 1@laneid, 1)' --shape 8x8
  tile-layout show '(64, 64) : (64, 1), Sw<3, 3, 3>' --chunk 8 --region 8x64 --format svg -o swizzle.svg
  tile-layout banks '(64, 64) : (64, 1)' --element-bytes 4 --lanes '(32, 1) : (1@laneid, 1)'
  tile-layout copy '(4, 8) : (8, 1)' '(4, 8) : (1, 4)' --arrows 8
  tile-layout plan '(64, 64) : (64, 1)' '(64, 64) : (64, 1), Sw<3, 3, 3>' --threads 128
  tile-layout divide '(4,8):(1,4)' '4:2'
  tile-layout compare '(64) : (1)' '64:1'
  tile-layout convert '(8,64):(64,1)' --to triton";

/// Pictures, algebra and notations of layouts.
#[derive(Debug, Parser)]
#[command(name = "tile-layout", version, after_help = AFTER)]
pub struct Options {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print the answer as one JSON document.
    #[arg(long, global = true)]
    pub json: bool,
}

/// What is done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Draw what holds each element: an address, or a thread and its register.
    Show {
        #[command(flatten)]
        tile: TileOptions,
        #[command(flatten)]
        view: ViewOptions,
        #[command(flatten)]
        output: OutputOptions,
    },
    /// Draw which lanes of a warp access which banks of shared memory, and count wavefronts and conflicts.
    Banks {
        #[command(flatten)]
        tile: TileOptions,
        /// The lane and the register of each element of the part that is accessed.
        #[arg(long, value_name = "LAYOUT")]
        lanes: String,
        /// The shape of that part [default: a dimension for each entry of its layout].
        #[arg(long, value_name = "RxC")]
        lanes_shape: Option<Extents>,
        /// Where in the tile the part begins.
        #[arg(long, value_name = "R,C", value_delimiter = ',', allow_negative_numbers = true)]
        at: Vec<i64>,
        /// Bytes of an element.
        #[arg(long, value_name = "BYTES", default_value_t = 2)]
        element_bytes: i64,
        /// Elements that a lane moves at once [default: what 16 bytes hold].
        #[arg(long, value_name = "ELEMENTS")]
        vector: Option<i64>,
        #[command(flatten)]
        output: OutputOptions,
    },
    /// Draw the two sides of a copy, with arrows.
    Copy {
        #[command(flatten)]
        tile: TileOptions,
        /// The layout of the destination.
        destination: String,
        /// Arrows to draw.
        #[arg(long, value_name = "NUMBER", default_value_t = 16)]
        arrows: usize,
        #[command(flatten)]
        view: ViewOptions,
        #[command(flatten)]
        output: OutputOptions,
    },
    /// Say how the compiler does a copy: variant, instructions, the reason of each width, and what it costs.
    Plan {
        #[command(flatten)]
        tile: TileOptions,
        /// The layout of the destination.
        destination: String,
        #[command(flatten)]
        options: PlanOptions,
    },
    /// Compose: element i of the result is element B(i) of A.
    Compose(Two),
    /// Divide A by the tile B: elements of a tile first, then the tiles.
    Divide(Two),
    /// The addresses that a layout leaves out, up to a size.
    Complement {
        /// The layout.
        layout: String,
        /// The size [default: that of the addresses reached].
        size: Option<i64>,
    },
    /// The element at each address.
    Inverse {
        /// The layout.
        layout: String,
        /// Which inverse.
        #[arg(long, value_enum, default_value_t = Side::Left)]
        side: Side,
    },
    /// Say whether two layouts are the same, or where they differ.
    Compare {
        #[command(flatten)]
        tile: TileOptions,
        /// The other layout.
        other: String,
    },
    /// Write a layout in another notation.
    Convert {
        #[command(flatten)]
        tile: TileOptions,
        /// The notation.
        #[arg(long, value_enum)]
        to: Notation,
    },
    /// Print the completions of the commands and options for a shell.
    #[command(hide = true)]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page.
    #[command(hide = true)]
    Man,
}

/// A layout and its tile.
#[derive(Debug, Args)]
pub struct TileOptions {
    /// The layout.
    pub layout: String,
    /// The tile's shape [default: a dimension for each entry of the layout].
    #[arg(long, value_name = "RxC")]
    pub shape: Option<Extents>,
    /// Bits of an element, on which the layouts of fragments depend.
    #[arg(long, value_name = "BITS", default_value_t = 16)]
    pub element_bits: u32,
}

/// What of a tile is drawn.
#[derive(Debug, Args)]
pub struct ViewOptions {
    /// Show positions on this axis alone: m (address or register), laneid, … [default: all].
    #[arg(long, value_name = "AXIS")]
    pub axis: Option<Axis>,
    /// The first element that is drawn.
    #[arg(long, value_name = "R,C", value_delimiter = ',', allow_negative_numbers = true)]
    pub at: Vec<i64>,
    /// The extents that are drawn.
    #[arg(long, value_name = "RxC")]
    pub region: Option<Extents>,
    /// Draw one of so many columns, and count addresses in so many.
    #[arg(long, value_name = "ELEMENTS", default_value_t = 1)]
    pub chunk: i64,
}

/// Where both sides of a copy are, and who copies.
#[derive(Debug, Args)]
pub struct PlanOptions {
    /// The memory of the source.
    #[arg(long, value_name = "SPACE", default_value = "global", value_parser = space)]
    pub from: Space,
    /// The memory of the destination.
    #[arg(long, value_name = "SPACE", default_value = "shared", value_parser = space)]
    pub to: Space,
    /// Threads of the block.
    #[arg(long, value_name = "NUMBER", default_value_t = 128)]
    pub threads: i64,
    /// The threads that share the copy.
    #[arg(long, value_name = "SCOPE", default_value = "cta", value_parser = scope)]
    pub scope: Scope,
    /// Bytes to which both sides are aligned; a power of two.
    #[arg(long, value_name = "BYTES", default_value_t = 128, value_parser = power_of_two)]
    pub align: i64,
    /// The chip.
    #[arg(long, value_name = "CHIP", default_value = "sm_90a")]
    pub chip: String,
    /// A copy that is in flight until its group is waited for.
    #[arg(long = "async")]
    pub asynchronous: bool,
}

/// Where a picture goes.
#[derive(Debug, Args)]
pub struct OutputOptions {
    /// How it is drawn.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Two operands.
#[derive(Debug, Args)]
pub struct Two {
    /// The layout A.
    pub a: String,
    /// The layout B.
    pub b: String,
}

/// An inverse.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Side {
    /// `inverse(layout(i)) = i`.
    Left,
    /// `layout(inverse(i)) = i`.
    Right,
}

/// Extents, as in `16x64`.
#[derive(Clone, Debug)]
pub struct Extents(pub Vec<i64>);

impl FromStr for Extents {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let extent = |word: &str| word.parse::<i64>().ok().filter(|extent| *extent >= 1);
        let extents: Option<Vec<i64>> = text.split('x').map(extent).collect();
        extents.map(Extents).ok_or_else(|| format!("got '{text}', expected extents such as 16x64"))
    }
}

fn space(word: &str) -> Result<Space, String> {
    named("space", word, Space::ALL.map(|space| (space.name(), space)))
}

fn scope(word: &str) -> Result<Scope, String> {
    named("scope", word, Scope::ALL.map(|scope| (scope.name(), scope)))
}

/// What has that name.
fn named<T: Copy, const N: usize>(what: &str, word: &str, known: [(&str, T); N]) -> Result<T, String> {
    one_of(what, word, known.iter().map(|(name, _)| *name)).map_err(|error| error.to_string())?;
    let entry = known.iter().find(|(name, _)| *name == word);
    entry.map(|(_, value)| *value).ok_or_else(|| format!("got no {what}"))
}

fn power_of_two(word: &str) -> Result<i64, String> {
    let number = word.parse::<i64>().ok().filter(|number| *number > 0 && number.count_ones() == 1);
    number.ok_or_else(|| format!("got '{word}', expected a power of two"))
}
