//! Buffers of a family, and their memory.

use super::Draft;
use super::family::Family;
use crate::ast::{Argument, Buffer, Element, Expr, Source, Space, Storage};
use crate::layout::{Axis, Digit, Layout};

/// The most elements of one argument.
const MAX_ELEMENTS: i64 = 8192;
/// The most bytes of one shared buffer; a block has 48 KiB without a special request.
const MAX_SHARED: i64 = 8 * 1024;
/// The most registers of a thread, which are processed one by one.
const MAX_REGISTERS: i64 = 64;

impl Draft {
    /// Buffers for each memory.
    pub(super) fn buffers(&mut self, mut family: Family) -> Family {
        let groups = self.groups(family.scope);
        let inputs = self.rng.below(2) + 1;
        for _ in 0..inputs {
            let slots = *self.rng.one_of(&[1, 1, 2, 3, 8]);
            let input = self.global(&family, slots, true);
            family.inputs.push(input);
        }
        let outputs = self.rng.below(2) + 1;
        for number in 0..outputs {
            let slots = self.program.blocks() * if number == 0 { groups } else { 1 };
            let filled = self.rng.once_in(3);
            let own_family = self.of_its_own(&family);
            let output = self.global(&own_family, slots, filled);
            family.outputs.push(output);
        }
        let shared = self.rng.below(2) + if family.fragment { 2 } else { 1 };
        for _ in 0..shared {
            let slots = if self.rng.once_in(2) { groups } else { 1 };
            let own_family = self.of_its_own(&family);
            family.shared.extend(self.shared(&own_family, slots));
        }
        let registers = self.rng.below(3).max(i64::from(family.fragment));
        for _ in 0..registers {
            let own_family = self.of_its_own(&family);
            if let Some(buffer) = self.registers(&own_family) {
                family.registers.push(buffer);
                let image = self.image(buffer);
                family.images.push(image);
            }
        }
        family
    }

    /// The family for one buffer, which may have elements of another type.
    fn of_its_own(&mut self, family: &Family) -> Family {
        if family.converts && self.rng.once_in(2) { self.converted(family) } else { family.clone() }
    }

    fn add(&mut self, buffer: Buffer) -> usize {
        self.program.buffers.push(buffer);
        self.program.buffers.len() - 1
    }

    fn argument(&mut self, storage: Storage) -> usize {
        self.program.arguments.push(Argument::Memory(storage));
        self.program.arguments.len() - 1
    }

    /// A shape around the tile, with a leading dimension of `slots`.
    fn around(&mut self, family: &Family, slots: i64) -> Vec<i64> {
        let wide = self.rng.once_in(3);
        let tile = family.tile.clone();
        let mut shape: Vec<i64> = Vec::new();
        if slots > 1 || self.rng.once_in(4) {
            shape.push(slots);
        }
        for extent in tile {
            let more = if wide { *self.rng.one_of(&[0, 1, 2, 4, 8, 8, extent]) } else { 0 };
            shape.push(extent + more);
        }
        shape
    }

    /// A view of an argument: dense, strided, a window of a larger one, or flat storage under any layout.
    fn global(&mut self, family: &Family, slots: i64, filled: bool) -> usize {
        let mut shape = self.around(family, slots);
        if shape.iter().product::<i64>() > MAX_ELEMENTS {
            shape = if slots > 1 { vec![slots] } else { Vec::new() };
            shape.extend(&family.tile);
        }
        let element = family.element;
        let align = self.rng.once_in(6).then(|| *self.rng.one_of(&[1, 4, 8, 16, 32]) * element.bytes());
        let storage = Storage {
            element,
            shape: shape.clone(),
            strides: None,
            offset: 0,
            align,
            filled,
            numbers: family.converts,
        };
        match self.rng.below(10) {
            0 | 1 => self.flat(storage),
            8 | 9 => self.open(storage),
            2 => self.strided(storage, false),
            3 => self.strided(storage, true),
            _ => {
                let argument = self.argument(storage);
                let layout = Layout::row_major(&shape);
                let source = Source::View { argument, window: None };
                self.add(Buffer { space: Space::Global, element, shape, layout, source })
            }
        }
    }

    fn flat(&mut self, storage: Storage) -> usize {
        let layout = self.memory_layout(&storage.shape, Space::Global);
        let (shape, element) = (storage.shape.clone(), storage.element);
        // The last block of a swizzle may extend beyond the tile.
        let block = layout.swizzle.map_or(1, |swizzle| 1 << (swizzle.keep + swizzle.bits));
        let end = (layout.end().max(layout.registers()) + block - 1) / block * block;
        let extent = end + *self.rng.one_of(&[0, 0, 3, 64]);
        let argument = self.argument(Storage { shape: vec![extent], ..storage });
        let source = Source::View { argument, window: None };
        self.add(Buffer { space: Space::Global, element, shape, layout, source })
    }

    /// Rows with gaps between them, because the argument is strided, or because the buffer is a window of it.
    fn strided(&mut self, storage: Storage, window: bool) -> usize {
        let (shape, element) = (storage.shape.clone(), storage.element);
        let rank = shape.len();
        let mut whole = shape.clone();
        let mut begins = Vec::new();
        if window {
            for extent in &mut whole {
                let before = if self.rng.once_in(2) { *self.rng.one_of(&[0, 1, 4, 8]) } else { 0 };
                *extent += before + *self.rng.one_of(&[0, 0, 1, 8]);
                begins.push(self.window_begin(before));
            }
        }
        let mut strides = vec![1; rank];
        for dimension in (0..rank - 1).rev() {
            let pad = *self.rng.one_of(&[0, 0, 1, 2, 4, 8]);
            strides[dimension] = strides[dimension + 1] * whole[dimension + 1] + pad;
        }
        let offset = if self.rng.once_in(3) { *self.rng.one_of(&[1, 2, 8, 16]) } else { 0 };
        let digits: Vec<Digit> =
            shape.iter().zip(&strides).map(|(&extent, &stride)| Digit::new(extent, stride, Axis::Memory)).collect();
        let layout = Layout { digits, ..Layout::default() };
        let strides = (strides != dense(&whole)).then_some(strides);
        let argument = self.argument(Storage { shape: whole, strides, offset, ..storage });
        let source = Source::View { argument, window: window.then_some(begins) };
        self.add(Buffer { space: Space::Global, element, shape, layout, source })
    }

    /// A view of flat storage, with some extents and strides that are known only at run time.
    fn open(&mut self, storage: Storage) -> usize {
        let (shape, element) = (storage.shape.clone(), storage.element);
        let mut strides = vec![1; shape.len()];
        for dimension in (0..shape.len() - 1).rev() {
            let pad = *self.rng.one_of(&[0, 0, 1, 2, 4, 8]);
            strides[dimension] = strides[dimension + 1] * shape[dimension + 1] + pad;
        }
        let digits: Vec<Digit> =
            shape.iter().zip(&strides).map(|(&extent, &stride)| Digit::new(extent, stride, Axis::Memory)).collect();
        let layout = Layout { digits, ..Layout::default() };
        let argument = self.argument(Storage { shape: vec![layout.end()], ..storage });
        let extents: Vec<Option<Expr>> = shape.iter().map(|&extent| self.left_open(extent)).collect();
        let strides = strides.iter().map(|&stride| if stride == 1 { None } else { self.left_open(stride) }).collect();
        self.add(Buffer {
            space: Space::Global,
            element,
            shape,
            layout,
            source: Source::Open { argument, extents, strides },
        })
    }

    /// An argument with that value, optionally with a promise; in two of three cases.
    fn left_open(&mut self, value: i64) -> Option<Expr> {
        if self.rng.once_in(3) {
            return None;
        }
        let known = |argument: &Argument| *argument == Argument::Index(value);
        let number = self.program.arguments.iter().position(known).unwrap_or_else(|| {
            self.program.arguments.push(Argument::Index(value));
            self.program.arguments.len() - 1
        });
        let divisors: Vec<i64> = [2, 4, 8, 16, value].into_iter().filter(|divisor| value % divisor == 0).collect();
        let promised = Expr::Assume(Box::new(Expr::Argument(number)), *self.rng.one_of(&divisors));
        Some(if self.rng.once_in(2) { promised } else { Expr::Argument(number) })
    }

    /// An argument that has the value, or the value as a literal.
    fn window_begin(&mut self, value: i64) -> Expr {
        let known = |argument: &Argument| *argument == Argument::Index(value);
        match self.program.arguments.iter().position(known) {
            Some(number) if self.rng.once_in(2) => Expr::Argument(number),
            _ => Expr::Const(value),
        }
    }

    fn shared(&mut self, family: &Family, slots: i64) -> Option<usize> {
        let element = family.element;
        let mut shape = if slots > 1 { vec![slots] } else { Vec::new() };
        shape.extend(&family.tile);
        let layout = match self.rng.below(3) {
            0 => Layout::row_major(&shape),
            _ if family.fragment && shape.len() == 2 => self.matrices(&shape),
            _ => self.memory_layout(&shape, Space::Shared),
        };
        if layout.end() * element.bytes() > MAX_SHARED {
            return None;
        }
        let source = if self.rng.once_in(6) {
            let block = layout.swizzle.map_or(1, |swizzle| 1 << (swizzle.keep + swizzle.bits));
            let vector = 16 / element.bytes().min(16);
            let unit = block.max(vector);
            Source::Attribution((layout.end().max(layout.registers()) + unit - 1) / unit * unit)
        } else {
            Source::Alloc(self.rng.once_in(6).then(|| *self.rng.one_of(&[16, 128, 1024])))
        };
        Some(self.add(Buffer { space: Space::Shared, element, shape, layout, source }))
    }

    /// Rows, or columns, of 8 contiguous elements, occasionally padded or swizzled.
    fn matrices(&mut self, shape: &[i64]) -> Layout {
        let along = if self.rng.once_in(3) { 0 } else { 1 };
        let pitch = shape[along] + *self.rng.one_of(&[0, 0, 8, 16, 24, 4]);
        let strides = if along == 1 { [pitch, 1] } else { [1, pitch] };
        let digits = (0..2).map(|at| Digit::new(shape[at], strides[at], Axis::Memory)).collect();
        let swizzle = self.rng.once_in(2).then(|| crate::layout::Swizzle {
            keep: 3,
            bits: self.rng.below(4) as u32,
            distance: 3,
        });
        Layout { digits, swizzle, ..Layout::default() }
    }

    fn registers(&mut self, family: &Family) -> Option<usize> {
        let (element, shape) = (family.element, family.tile.clone());
        let layout = match family.scope {
            _ if family.fragment && !self.rng.once_in(4) => self.fragment_layout(&shape, family.scope),
            crate::ast::Scope::Thread => self.private_layout(&shape),
            scope => self.register_layout(&shape, scope),
        };
        let held = layout.registers();
        (held <= MAX_REGISTERS).then(|| {
            let source = Source::Alloc(None);
            self.add(Buffer { space: Space::Local, element, shape, layout, source })
        })
    }

    /// A layout in which every thread holds all elements.
    fn private_layout(&mut self, shape: &[i64]) -> Layout {
        if self.rng.once_in(2) {
            return Layout::row_major(shape);
        }
        let layout = self.memory_layout(shape, Space::Local);
        Layout { swizzle: None, ..layout }
    }

    /// Memory for the registers of all threads.
    fn image(&mut self, buffer: usize) -> Option<usize> {
        let Buffer { element, layout, .. } = &self.program.buffers[buffer];
        let (element, elements): (Element, i64) =
            (*element, layout.registers() * self.threads() * self.program.blocks());
        (elements <= MAX_ELEMENTS).then(|| {
            let shape = vec![elements];
            self.argument(Storage {
                element,
                shape,
                strides: None,
                offset: 0,
                align: None,
                filled: false,
                numbers: false,
            })
        })
    }
}

fn dense(shape: &[i64]) -> Vec<i64> {
    Layout::row_major(shape).digits.iter().map(|digit| digit.stride).collect()
}
