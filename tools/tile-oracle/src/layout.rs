//! The locations of an element, directly by the definition in `docs/layouts.md`.

use std::fmt;

/// The unit of a stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    /// Elements of memory, or registers of one thread.
    Memory,
    /// Threads of a warp.
    Lane,
    /// Warps of a warpgroup.
    WarpInGroup,
    /// Threads of a warpgroup.
    ThreadInGroup,
    /// Threads of a block.
    Thread,
    /// Warps of a block.
    Warp,
    /// Warpgroups of a block.
    Group,
}

impl Axis {
    /// The name in `#tile.layout`; none for memory.
    pub fn name(self) -> &'static str {
        match self {
            Axis::Memory => "",
            Axis::Lane => "laneid",
            Axis::WarpInGroup => "wid_in_wg",
            Axis::ThreadInGroup => "tid_in_wg",
            Axis::Thread => "tx",
            Axis::Warp => "warpid",
            Axis::Group => "wgid",
        }
    }

    /// The position of a block's thread on a thread axis; 0 on the memory axis.
    pub fn of_thread(self, thread: i64) -> i64 {
        match self {
            Axis::Memory => 0,
            Axis::Lane => thread % 32,
            Axis::WarpInGroup => thread / 32 % 4,
            Axis::ThreadInGroup => thread % 128,
            Axis::Thread => thread,
            Axis::Warp => thread / 32,
            Axis::Group => thread / 128,
        }
    }
}

/// One digit of an element's number, or of a replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// The number of its values.
    pub extent: i64,
    /// The distance of one step.
    pub stride: i64,
    /// Its axis.
    pub axis: Axis,
}

impl Digit {
    /// A digit.
    pub const fn new(extent: i64, stride: i64, axis: Axis) -> Self {
        Digit { extent, stride, axis }
    }
}

/// Written as `swizzle<base = keep, bits = bits, shift = distance>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swizzle {
    /// log2 of the number of elements that stay together.
    pub keep: u32,
    /// The number of bits of the chunk's number that change.
    pub bits: u32,
    /// The distance from these bits up to the bits that are XORed into them.
    pub distance: u32,
}

impl Swizzle {
    /// The address after the swizzle.
    pub fn apply(self, address: i64) -> i64 {
        let (chunk, inside) = (address >> self.keep, address & ((1 << self.keep) - 1));
        let mask = (1 << self.bits) - 1;
        let moved = chunk ^ ((chunk >> self.distance) & mask);
        (moved << self.keep) | inside
    }
}

/// The location of one copy of an element: an address of memory (or a register), and positions on thread axes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ElementLocation {
    /// The address in elements from the buffer's first one, or the register.
    pub address: i64,
    /// Position on each thread axis that the layout names.
    pub on: Vec<(Axis, i64)>,
}

impl ElementLocation {
    /// Whether it is a location of this thread.
    pub fn is_of(&self, thread: i64) -> bool {
        self.on.iter().all(|&(axis, position)| axis.of_thread(thread) == position)
    }
}

/// A layout: digits of an element's number (slowest first), replica, offset, swizzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The digits, slowest first.
    pub digits: Vec<Digit>,
    /// The digits of replicas.
    pub replica: Vec<Digit>,
    /// Offsets that are added on axes.
    pub offset: Vec<(Axis, i64)>,
    /// The swizzle, which is applied to the complete memory address.
    pub swizzle: Option<Swizzle>,
}

impl Layout {
    /// Dense, the last dimension fastest.
    pub fn row_major(shape: &[i64]) -> Self {
        let mut stride = 1;
        let mut digits: Vec<Digit> = Vec::new();
        for &extent in shape.iter().rev() {
            digits.insert(0, Digit::new(extent, stride, Axis::Memory));
            stride *= extent;
        }
        Layout { digits, ..Layout::default() }
    }

    /// Number of elements.
    pub fn size(&self) -> i64 {
        self.digits.iter().map(|digit| digit.extent).product()
    }

    /// The thread axes that the layout names.
    pub fn thread_axes(&self) -> Vec<Axis> {
        let digits = self.digits.iter().chain(&self.replica).map(|digit| digit.axis);
        let mut axes: Vec<Axis> = digits.chain(self.offset.iter().map(|(axis, _)| *axis)).collect();
        axes.sort_unstable();
        axes.dedup();
        axes.retain(|axis| *axis != Axis::Memory);
        axes
    }

    /// All locations of the element with this number.
    pub fn places(&self, element: i64) -> Vec<ElementLocation> {
        let axes = self.thread_axes();
        let slot = |axis: Axis| axes.iter().position(|known| *known == axis);
        // The memory axis comes last.
        let mut first = vec![0i64; axes.len() + 1];
        let add = |sums: &mut Vec<i64>, axis: Axis, value: i64| {
            let index = slot(axis).unwrap_or(axes.len());
            sums[index] += value;
        };
        let mut rest = element;
        for digit in self.digits.iter().rev() {
            add(&mut first, digit.axis, rest % digit.extent * digit.stride);
            rest /= digit.extent;
        }
        self.offset.iter().for_each(|&(axis, value)| add(&mut first, axis, value));
        let mut all = vec![first];
        for digit in &self.replica {
            all = (0..digit.extent)
                .flat_map(|step| {
                    all.iter()
                        .map(|sums| {
                            let mut sums = sums.clone();
                            add(&mut sums, digit.axis, step * digit.stride);
                            sums
                        })
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        let place = |sums: Vec<i64>| {
            let address = sums[axes.len()];
            let address = self.swizzle.map_or(address, |swizzle| swizzle.apply(address));
            ElementLocation { address, on: axes.iter().copied().zip(sums).collect() }
        };
        all.into_iter().map(place).collect()
    }

    /// One more than the highest address, or register, before the swizzle.
    pub fn registers(&self) -> i64 {
        let reach =
            |digit: &Digit| if digit.axis == Axis::Memory { ((digit.extent - 1) * digit.stride).max(0) } else { 0 };
        let offset: i64 = self.offset.iter().filter(|(axis, _)| *axis == Axis::Memory).map(|(_, value)| value).sum();
        1 + offset + self.digits.iter().map(reach).sum::<i64>()
    }

    /// One more than the highest address that any element has.
    pub fn end(&self) -> i64 {
        let highest = |element| self.places(element).iter().map(|place| place.address).max().unwrap_or(0);
        1 + (0..self.size()).map(highest).max().unwrap_or(0)
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.axis {
            Axis::Memory => write!(f, "{}", self.stride),
            axis => write!(f, "{}@{}", self.stride, axis.name()),
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |digits: &[Digit], text: &dyn Fn(&Digit) -> String| digits.iter().map(text).collect::<Vec<_>>().join(", ");
        let extents = |digits: &[Digit]| list(digits, &|digit| digit.extent.to_string());
        let strides = |digits: &[Digit]| list(digits, &|digit| digit.to_string());
        write!(f, "#tile.layout<({}) : ({})", extents(&self.digits), strides(&self.digits))?;
        match &self.replica[..] {
            [] => {}
            [one] => write!(f, " + R({} : {one})", one.extent)?,
            several => write!(f, " + R(({}) : ({}))", extents(several), strides(several))?,
        }
        for &(axis, value) in &self.offset {
            write!(f, " + {}", Digit::new(1, value, axis))?;
        }
        if let Some(Swizzle { keep, bits, distance }) = self.swizzle {
            write!(f, ", swizzle<base = {keep}, bits = {bits}, shift = {distance}>")?;
        }
        f.write_str(">")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(layout: &Layout) -> Vec<i64> {
        (0..layout.size()).map(|element| layout.places(element)[0].address).collect()
    }

    fn memory(digits: &[(i64, i64)]) -> Layout {
        let digits = digits.iter().map(|&(extent, stride)| Digit::new(extent, stride, Axis::Memory)).collect();
        Layout { digits, ..Layout::default() }
    }

    /// The figures of docs/layouts.md.
    #[test]
    fn the_page_about_layouts_is_right() {
        assert_eq!(addresses(&memory(&[(4, 6), (6, 1)])), (0..24).collect::<Vec<_>>());
        let by_columns = addresses(&memory(&[(4, 1), (6, 4)]));
        assert_eq!(by_columns[6..12], [1, 5, 9, 13, 17, 21]);
        let blocks = addresses(&memory(&[(2, 12), (2, 3), (2, 6), (3, 1)]));
        assert_eq!(blocks[6..12], [3, 4, 5, 9, 10, 11]);
        let swizzle = Some(Swizzle { keep: 3, bits: 3, distance: 3 });
        let swizzled = Layout { swizzle, ..memory(&[(8, 64), (64, 1)]) };
        let chunks: Vec<i64> = addresses(&swizzled).chunks(8).map(|chunk| chunk[0] / 8).collect();
        assert_eq!(chunks[24..32], [27, 26, 25, 24, 31, 30, 29, 28]);
    }

    #[test]
    fn threads_hold_what_the_fragment_says() {
        let digits = vec![Digit::new(8, 4, Axis::Lane), Digit::new(4, 1, Axis::Lane), Digit::new(2, 1, Axis::Memory)];
        let fragment = Layout { digits, ..Layout::default() };
        let place = &fragment.places(29)[0];
        assert_eq!((place.address, place.is_of(14), place.is_of(46), place.is_of(13)), (1, true, true, false));
        assert_eq!(fragment.to_string(), "#tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>");
    }

    #[test]
    fn replicas_are_further_places() {
        let layout = Layout {
            digits: vec![Digit::new(16, 1, Axis::Lane), Digit::new(8, 1, Axis::Memory)],
            replica: vec![Digit::new(2, 16, Axis::Lane)],
            offset: vec![(Axis::Memory, 3)],
            swizzle: None,
        };
        let places = layout.places(9);
        assert_eq!(places.len(), 2);
        assert!(places.iter().all(|place| place.address == 4));
        assert!(places[0].is_of(1) && places[1].is_of(17) && places[1].is_of(49));
        assert_eq!(layout.to_string(), "#tile.layout<(16, 8) : (1@laneid, 1) + R(2 : 16@laneid) + 3>");
        assert_eq!(layout.registers(), 11);
    }
}
