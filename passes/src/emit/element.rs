//! Elements, which may be short vectors: as bits, in parts, and in vectors.

use melior::ir::{Type, ValueLike};
use tile_dialect::ops::ScanElement;
use tile_ops::llvm;

use super::{Kit, Val};

/// The element type, for code generation.
#[derive(Clone, Copy, Debug)]
pub struct EmittedElement<'c>(pub ScanElement<'c>);

impl<'c: 'a, 'a> EmittedElement<'c> {
    /// Bytes of an element.
    pub fn bytes(self) -> i64 {
        i64::from(self.0.bits() / 8)
    }

    /// The bits of an element in parts of `part` bits each (a single part, if it has fewer bits), lowest first.
    pub fn to_parts(self, kit: Kit<'c, 'a>, value: Val<'c, 'a>, part: u32) -> Vec<Val<'c, 'a>> {
        let bits = self.0.bits();
        let whole = kit.bits_as(value, kit.int_type(bits));
        let part = part.min(bits);
        (0..bits / part)
            .map(|index| {
                let shift = i64::from(index * part);
                let moved = if shift == 0 { whole } else { kit.shr(whole, shift) };
                kit.truncated(moved, part)
            })
            .collect()
    }

    /// The element with these parts.
    pub fn of_parts(self, kit: Kit<'c, 'a>, parts: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        let bits = self.0.bits();
        let part = bits / parts.len() as u32;
        let whole = parts.iter().enumerate().map(|(index, &value)| {
            let wide = kit.zero_extended(value, bits);
            if index == 0 { wide } else { kit.shl(wide, i64::from(part) * index as i64) }
        });
        let whole = whole.reduce(|low, high| kit.or(low, high)).expect("an element has parts");
        kit.bits_as(whole, self.0.r#type)
    }

    /// Moves an element between lanes, 32 bits at a time.
    pub fn shuffled(
        self,
        kit: Kit<'c, 'a>,
        value: Val<'c, 'a>,
        shuffle: impl Fn(Val<'c, 'a>) -> Val<'c, 'a>,
    ) -> Val<'c, 'a> {
        let moved: Vec<_> = self
            .to_parts(kit, value, 32)
            .into_iter()
            .map(|part| {
                let word = kit.zero_extended(part, 32);
                kit.truncated(shuffle(word), self.0.bits().min(32))
            })
            .collect();
        self.of_parts(kit, &moved)
    }

    /// The numbers of these types that were packed into an element; the element itself for one.
    pub fn numbers(self, kit: Kit<'c, 'a>, packed: Val<'c, 'a>, types: &[Type<'c>]) -> Vec<Val<'c, 'a>> {
        if types.len() == 1 {
            return vec![packed];
        }
        let number = |(lane, &r#type): (usize, &Type<'c>)| {
            let word = llvm::extractelement(kit.builder, packed, kit.i32(lane as i64)).value();
            let bits = ScanElement::new(r#type).map_or(self.0.scalar_bits, |number| number.scalar_bits);
            kit.bits_as(kit.truncated(word, bits), r#type)
        };
        types.iter().enumerate().map(number).collect()
    }

    /// The element into which numbers are packed: in a lane each, as integers, the other lanes 0; the only one itself.
    pub fn of_numbers(self, kit: Kit<'c, 'a>, numbers: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        if let [only] = numbers {
            return *only;
        }
        let empty = llvm::mlir_zero(kit.builder, self.0.r#type).value();
        numbers.iter().enumerate().fold(empty, |packed, (lane, &number)| {
            let bits = ScanElement::new(number.r#type()).map_or(self.0.scalar_bits, |number| number.scalar_bits);
            let word = kit.zero_extended(kit.bits_as(number, kit.int_type(bits)), self.0.scalar_bits);
            llvm::insertelement(kit.builder, packed, word, kit.i32(lane as i64)).value()
        })
    }

    /// The type with which LLVM loads a vector of elements.
    pub fn vector_type(self, elements: i64) -> Type<'c> {
        let scalars = elements * i64::from(self.0.lanes);
        if scalars == 1 { self.0.scalar } else { Type::vector(&[scalars as u64], self.0.scalar) }
    }

    /// The elements of a vector.
    pub fn unpack(self, kit: Kit<'c, 'a>, vector: Val<'c, 'a>, elements: i64) -> Vec<Val<'c, 'a>> {
        if elements == 1 {
            return vec![kit.bits_as(vector, self.0.r#type)];
        }
        let lanes = i64::from(self.0.lanes);
        (0..elements)
            .map(|index| match is_vector(self.0.r#type) {
                false => llvm::extractelement(kit.builder, vector, kit.i32(index)).value(),
                true => {
                    let picked: Vec<i32> = (0..lanes).map(|lane| (index * lanes + lane) as i32).collect();
                    llvm::shufflevector(kit.builder, vector, vector, &picked, self.0.r#type).value()
                }
            })
            .collect()
    }

    /// Packs elements into a vector.
    pub fn pack(self, kit: Kit<'c, 'a>, elements: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        let r#type = self.vector_type(elements.len() as i64);
        if let [only] = elements {
            return kit.bits_as(*only, r#type);
        }
        let scalars: Vec<_> = elements.iter().flat_map(|&element| self.scalars(kit, element)).collect();
        let empty = llvm::mlir_poison(kit.builder, r#type).value();
        scalars.into_iter().enumerate().fold(empty, |vector, (index, scalar)| {
            llvm::insertelement(kit.builder, vector, scalar, kit.i32(index as i64)).value()
        })
    }

    fn scalars(self, kit: Kit<'c, 'a>, element: Val<'c, 'a>) -> Vec<Val<'c, 'a>> {
        if !is_vector(self.0.r#type) {
            return vec![element];
        }
        (0..i64::from(self.0.lanes))
            .map(|lane| llvm::extractelement(kit.builder, element, kit.i32(lane)).value())
            .collect()
    }
}

fn is_vector(r#type: Type<'_>) -> bool {
    // SAFETY: the type is alive.
    unsafe { mlir_sys::mlirTypeIsAVector(melior::ir::TypeLike::to_raw(&r#type)) }
}
