//! Pixels of images, as a filter visits them: the engine walks from one to the next through maps of im2col mode.
//!
//! ```text
//!   images   (2, 9, 7, 64) pixels from (n, h, w) on, 64 of them, channels 0 .. 64        a filter of 3x3, padding 1
//!   shared   (64, 64) : (64, 1)                                                         lower -1, upper -1
//!
//!   dimension    0: 64 channels   1: 7 wide     2: 9 high     3: 2 images
//!   box          64               -1 .. 6       -1 .. 8                        64 pixels: one instruction
//!   coordinate   0                w             h             n                 the filter's offset is an operand
//! ```
//!
//! The walk ends a row at the end of the box and goes on at its begin, a step higher; after the last row the next image follows.
//! So where the pixels are is not affine, and an instruction takes all of them. Channels that no row of shared memory has together
//! are further instructions, at the same pixel.

use tile_layout::{Axis, Layout};

use super::frame::Frame;
use super::map::{Extent, MAX_BOX, MAX_DIMENSIONS, MIN_IMAGE_DIMENSIONS, MapDim, Stride};
use super::pieces::Portion;
use super::pieces::{Piece, pieces};
use super::plan::{BoxLoop, Coordinate, Part, TensorMapCopy};
use super::swizzle::ATOM_BYTES;
use super::tensor::{Dim, dimensions};
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::tensor_map::PixelBox;

/// The instructions for a region of pixels.
pub(super) fn part(
    frame: &Frame,
    tensor: &Operand,
    walk: PixelBox,
    (shared, offset): (&Layout, i64),
) -> Result<Part, Refusal> {
    let role = frame.form.global();
    let dims = images(tensor, frame)?;
    check_store(frame, walk)?;
    let channels = dims.len() - 1;
    let portion = Portion { pieces: pieces(&dims, &shared.shard)?, dims, offset };
    frame.check_innermost(&portion)?;
    let (dims, walked) = (&portion.dims, |piece: &&Piece| piece.dim + 1 == channels);
    let pixels: Vec<&Piece> = portion.pieces.iter().filter(walked).collect();
    let rows: Vec<Piece> = portion.pieces.iter().filter(|piece| piece.dim == channels).copied().collect();
    let [row, further @ ..] = &rows[..] else {
        let reason = "adjacent elements of shared memory are no channels of a pixel; needed two or more of them";
        return Err(Refusal::of(role.other(), "shared-not-contiguous", reason));
    };
    let (row, outer) = frame.cut_channels(*row)?;
    frame.check_pixels(&pixels, row.extent)?;
    let mut map =
        frame.map(frame.element, map_dims(frame, dims, walk, row.extent), tensor.layout.offset_on(Axis::Memory))?;
    map.pixels = dims[channels - 1].extent;
    map.check().map_err(|refusal| Refusal { operand: Some(role), ..refusal })?;
    let turn = |piece: &Piece| BoxLoop {
        count: piece.extent,
        offset: piece.shared,
        steps: (0..dims.len()).map(|dim| if dim == 0 { piece.step } else { 0 }).collect(),
    };
    let loops = outer.iter().chain(further).map(turn).rev().collect();
    let at: Vec<Coordinate> = dims.iter().rev().map(|dim| dim.at).collect();
    let part = Part { map, at, offset, loops };
    frame.check_part(&part, dims[channels].inside)?;
    Ok(part)
}

/// Requires that pixels of a store leave no image, other than the last one at its end.
fn check_store(frame: &Frame, walk: PixelBox) -> Result<(), Refusal> {
    let corners = walk.lower.iter().zip(&walk.upper);
    match corners.into_iter().find(|(lower, upper)| **lower < 0 || **upper > 0).filter(|_| frame.form.is_store()) {
        None => Ok(()),
        Some((lower, upper)) => {
            let reason = format!(
                "pixels of a store go from {lower} to the image's end and {upper}; needed 0 or more, and 0 or less, or the \
                 engine traps"
            );
            Err(Refusal::of(frame.form.global(), "map-corner", reason))
        }
    }
}

/// The dimensions of images: those of the tensor, of which the region has pixels in the last but one, and channels in the last.
fn images(tensor: &Operand, frame: &Frame) -> Result<Vec<Dim>, Refusal> {
    let (role, rank) = (frame.form.global(), tensor.shape.len());
    let refused = |reason: String| Err(Refusal::of(role, "im2col-needs-images", reason));
    if !(MIN_IMAGE_DIMENSIONS..=MAX_DIMENSIONS).contains(&rank) {
        return refused(format!("the tensor has {rank} dimensions; needed 3 to 5: images, their pixels, channels"));
    }
    let dims = dimensions(tensor, role, true)?;
    if dims.iter().map(|dim| dim.declared).ne(0..rank) {
        return refused(format!(
            "the tensor has {} dimensions in a map; needed its {rank}, without blocks",
            dims.len()
        ));
    }
    match dims.iter().take(rank - 2).find(|dim| dim.extent != 1) {
        None => Ok(dims),
        Some(dim) => {
            let (dimension, extent) = (dim.declared, dim.extent);
            refused(format!(
                "dimension {dimension} of the region has {extent} elements; needed 1: the last but one counts pixels"
            ))
        }
    }
}

fn map_dims(frame: &Frame, dims: &[Dim], walk: PixelBox, channels: i64) -> Vec<MapDim> {
    let dim = |(number, dim): (usize, &Dim)| {
        let bytes = dim.stride.saturating_mul(frame.bytes);
        let stride = dim.axis.stride_index().map_or(Stride::Bytes(bytes), |stride| Stride::Times { stride, bytes });
        let extent = dim.size.map_or(Extent::Of(dim.declared), Extent::Const);
        let plain = MapDim::new(extent, stride, if number == 0 { channels } else { 1 });
        let place = number.checked_sub(1).filter(|_| number + 1 < dims.len());
        place.map_or(plain, |place| MapDim {
            element_stride: walk.step[place],
            lower: walk.lower[place],
            upper: walk.upper[place],
            ..plain
        })
    };
    dims.iter().rev().enumerate().map(dim).collect()
}

impl TensorMapCopy {
    /// Whether the region is pixels of images, whose places follow from the engine's walk.
    pub fn walks_pixels(&self) -> bool {
        self.parts.iter().any(|part| part.map.pixels != 0)
    }

    /// The offsets of a filter that are operands.
    pub fn filter_offsets(&self) -> usize {
        let offsets = self.parts.first().map_or(0, |part| part.map.filter_offsets());
        if self.form.is_store() { 0 } else { offsets }
    }
}

impl Frame {
    /// The channels of an instruction, and the loop over others where one takes fewer.
    fn cut_channels(&self, row: Piece) -> Result<(Piece, Option<Piece>), Refusal> {
        let longest = self.swizzle.span().map_or(MAX_BOX, |span| span / self.bytes);
        if row.extent <= longest {
            return Ok((row, None));
        }
        let grain = (ATOM_BYTES / self.bytes).max(1);
        let divides = |length: &i64| row.extent % length == 0 && length % grain == 0;
        match (1..=longest).rev().find(divides) {
            Some(length) => {
                let (outer, inner) = row.split(length);
                Ok((inner, Some(outer)))
            }
            None => {
                let extent = row.extent;
                let reason =
                    format!("the region has {extent} channels; needed at most {longest}, or a multiple of fewer");
                Err(Refusal::of(self.form.global(), "map-box", reason))
            }
        }
    }

    /// Requires pixels that follow each other in shared memory as the engine writes them.
    fn check_pixels(&self, pixels: &[&Piece], channels: i64) -> Result<(), Refusal> {
        let pitch = self.swizzle.span().map_or(channels, |span| span / self.bytes);
        let got = match pixels {
            [] => return Ok(()),
            [pixels] if pixels.shared == pitch && pixels.step == 1 => return Ok(()),
            [pixels] => format!("pixels are {} elements apart in shared memory", pixels.shared),
            runs => format!("pixels are in {} runs in shared memory", runs.len()),
        };
        let reason = format!("{got}; needed one run of pixels that are {pitch} elements apart");
        Err(Refusal::of(self.form.global().other(), "shared-not-contiguous", reason))
    }
}
