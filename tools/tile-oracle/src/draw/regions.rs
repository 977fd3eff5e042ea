//! The parts of a region: its start, literal or computed at run time; a mask, if it exceeds its buffer; and the views
//! that express it.

use super::Draft;
use crate::ast::{Argument, Expr, Region, Scope, Source, Space, View};
use crate::layout::{Axis, Layout};

impl Draft {
    /// A start from 0 to `most` that is the same for all threads of a scope.
    pub(super) fn begin(&mut self, most: i64, scope: Scope) -> Expr {
        if most <= 0 {
            return Expr::Const(0);
        }
        if self.rng.once_in(2) {
            let step = *self.rng.one_of(&[1, 2, 4, 8]);
            return Expr::Const(self.rng.below(most / step + 1) * step);
        }
        if self.rng.once_in(3)
            && let Some(begin) = self.known(most)
        {
            return begin;
        }
        let steps: Vec<i64> = [1, 2, 4, 8, 16].into_iter().filter(|step| *step <= most).collect();
        let step = *self.rng.one_of(&steps);
        let atom = self.atom(scope);
        let begin = atom.modulo(most / step + 1).times(step);
        match self.rng.below(4) {
            0 => Expr::Assume(Box::new(begin), step),
            1 if most % step != 0 => begin.modulo(most + 1 - most % step).plus(Expr::Const(most % step)),
            _ => begin,
        }
    }

    /// An argument, or an entry of a table, that is small enough; occasionally with a promise about it.
    fn known(&mut self, most: i64) -> Option<Expr> {
        let mut candidates: Vec<(Expr, i64)> = Vec::new();
        for (number, argument) in self.program.arguments.iter().enumerate() {
            match argument {
                Argument::Index(value) if *value <= most => candidates.push((Expr::Argument(number), *value)),
                Argument::Table(values) => {
                    let small = (0..).zip(values).filter(|(_, value)| **value <= most);
                    candidates.extend(small.map(|(at, &value)| (Expr::Load(number, Box::new(Expr::Const(at))), value)));
                }
                _ => {}
            }
        }
        if candidates.is_empty() {
            return None;
        }
        let (begin, value) = self.rng.one_of(&candidates).clone();
        let divisors: Vec<i64> = [1, 2, 3, 4, 8, 16, 64].into_iter().filter(|divisor| value % divisor == 0).collect();
        let divisor = *self.rng.one_of(&divisors);
        Some(if self.rng.once_in(2) { Expr::Assume(Box::new(begin), divisor) } else { begin })
    }

    /// A number that is not negative and the same for all threads of a scope.
    pub(super) fn atom(&mut self, scope: Scope) -> Expr {
        let variable = self.variables.last().copied();
        let block = || vec![Expr::Block(0), Expr::LinearBlock, Expr::Block(1), Expr::Argument(0), Expr::Argument(1)];
        let mut atoms = block();
        atoms.extend(variable.map(Expr::Variable));
        atoms.extend(variable.map(Expr::Variable));
        if let Argument::Table(values) = &self.program.arguments[3] {
            let entry = Expr::LinearBlock.modulo(values.len() as i64);
            atoms.push(Expr::Load(3, Box::new(entry)));
        }
        match scope {
            Scope::Thread => atoms.extend([Expr::Linear, Expr::Lane, Expr::Thread(0), Expr::Thread(1)]),
            Scope::Cta => {}
            _ => atoms.extend([self.group(scope), self.group(scope)]),
        }
        let atom = self.rng.one_of(&atoms).clone();
        match self.rng.below(4) {
            0 => atom.plus(Expr::Const(1)),
            1 => {
                let other = self.rng.one_of(&atoms).clone();
                atom.plus(other)
            }
            _ => atom,
        }
    }

    /// Occasionally moves regions beyond an end of their buffer; returns the fill value, if any.
    pub(super) fn masked(&mut self, src: &mut Region, dst: &mut Region) -> Option<u64> {
        for region in [src, dst] {
            let buffer = &self.program.buffers[region.buffer];
            // Regions of registers that are spread over threads usually cover whole dimensions.
            let rare = buffer.space == Space::Local;
            if self.rng.once_in(3) || rare && !self.rng.once_in(8) {
                continue;
            }
            if region.begin.is_empty() {
                region.begin = vec![Expr::Const(0); region.extent.len()];
            }
            for (begin, &extent) in region.begin.iter_mut().zip(&region.extent) {
                if extent == 1 || self.rng.once_in(3) {
                    continue;
                }
                let by = self.rng.below(extent + extent / 2) - extent / 2;
                *begin = match begin.clone() {
                    Expr::Const(value) => Expr::Const(value + by),
                    other if self.rng.once_in(3) => {
                        let step = *self.rng.one_of(&[2, 4, 8]);
                        Expr::Assume(Box::new(other.plus(Expr::Const(by / step * step))), step)
                    }
                    other => other.plus(Expr::Const(by)),
                };
            }
        }
        self.rng.once_in(2).then(|| if self.rng.once_in(2) { 0 } else { self.rng.below(0x38) as u64 })
    }

    /// Expresses regions by views, for one copy in four.
    pub(super) fn views(&mut self, src: &mut Region, dst: &mut Region) {
        if !self.rng.once_in(4) {
            return;
        }
        let all: Vec<i64> = src.extent.iter().copied().filter(|extent| *extent != 1).collect();
        let same = src.extent == dst.extent || src.extent == all && dst.extent == all;
        if same && self.rng.once_in(3) && self.is_plain(src) && self.is_plain(dst) {
            let mut order: Vec<usize> = (0..src.extent.len()).collect();
            self.rng.shuffle(&mut order);
            src.view = View::Turned(order.clone());
            dst.view = View::Turned(order);
            return;
        }
        for region in [src, dst] {
            let cast = self.casts(region);
            region.view = match self.rng.below(4) {
                0 if self.is_plain(region) => View::Part,
                1 if self.is_plain(region) => View::Flat,
                2 | 3 if cast => View::Cast,
                _ => View::Written,
            };
        }
    }

    /// Expresses regions in casts of their buffers, where there are some.
    pub(super) fn casts_of(&self, regions: [&mut Region; 2]) {
        for region in regions {
            if self.casts(region) {
                region.view = View::Cast;
            }
        }
    }

    /// Whether the buffer has one digit for each dimension, in memory, so that the type of a part is plain.
    fn is_plain(&self, region: &Region) -> bool {
        let buffer = &self.program.buffers[region.buffer];
        let Layout { digits, replica, offset, .. } = &buffer.layout;
        let fits = digits
            .iter()
            .zip(&buffer.shape)
            .all(|(digit, &extent)| digit.extent == extent && digit.axis == Axis::Memory && digit.stride >= 0);
        let open = matches!(buffer.source, Source::Open { .. });
        buffer.space != Space::Local
            && fits
            && digits.len() == buffer.shape.len()
            && !open
            && replica.is_empty()
            && offset.is_empty()
    }

    /// Whether there is a cast to another type.
    fn casts(&self, region: &Region) -> bool {
        let buffer = &self.program.buffers[region.buffer];
        let open = matches!(buffer.source, Source::Open { .. });
        open || buffer.space == Space::Global && self.is_plain(region) && buffer.layout.swizzle.is_none()
    }
}
