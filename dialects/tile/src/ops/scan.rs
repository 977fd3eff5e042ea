//! `tile.scan`.

use crate::ir::Parts;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{Attribute, BlockRef, OperationRef, RegionLike, ShapedTypeLike, Type, TypeLike, Value, ValueLike};

use tile_plan::scan::{Hooks, Requests};

use super::combine::CombineKind;
use super::{integer, string};
use crate::memref::bit_width;

/// What a pass over arrays asks of its plan. An op has no attribute for what it cannot ask.
pub fn chain_requests(op: OperationRef<'_, '_>) -> Requests {
    Requests {
        strategy: string(op, "strategy"),
        shape: string(op, "shape"),
        threads: integer(op, "threads"),
        items: integer(op, "items"),
        stages: integer(op, "stages"),
        order: string(op, "order"),
        max_spin: integer(op, "max_spin"),
        deterministic: op.has_attribute("deterministic"),
    }
}

/// The faults that a pass over arrays injects, for tests.
pub fn chain_hooks(op: OperationRef<'_, '_>) -> Hooks {
    Hooks {
        skip_post: integer(op, "skip_post"),
        hold: integer(op, "hold"),
        reverse: op.has_attribute("reverse"),
        poll_cap: integer(op, "poll_cap"),
        counters: op.has_attribute("counters"),
    }
}

/// The type of an element of a scan: a number, or a short vector of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanElement<'c> {
    /// The type of the element.
    pub r#type: Type<'c>,
    /// The type of its scalars.
    pub scalar: Type<'c>,
    /// The number of scalars.
    pub lanes: u32,
    /// Bits of a scalar.
    pub scalar_bits: u32,
    /// Whether the scalar is a float.
    pub float: bool,
}

impl<'c> ScanElement<'c> {
    /// The element of that type; `None` for one that is neither a number nor a vector of numbers.
    pub fn new(r#type: Type<'c>) -> Option<Self> {
        // SAFETY: the queries are made for one-dimensional vectors only; the element type is never null.
        let (scalar, lanes) = unsafe {
            let raw = r#type.to_raw();
            if !mlir_sys::mlirTypeIsAVector(raw) {
                (r#type, 1)
            } else if mlir_sys::mlirShapedTypeGetRank(raw) == 1 && !r#type.is_scalable_vector() {
                let lanes = u32::try_from(mlir_sys::mlirShapedTypeGetDimSize(raw, 0)).ok()?;
                (Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(raw)), lanes)
            } else {
                return None;
            }
        };
        let scalar_bits = bit_width(scalar)?;
        let float = !scalar.to_string().starts_with('i');
        Some(ScanElement { r#type, scalar, lanes, scalar_bits, float })
    }

    /// Bits of the element.
    pub fn bits(self) -> u32 {
        self.lanes.saturating_mul(self.scalar_bits)
    }
}

/// A `tile.scan`.
#[derive(Clone, Copy, Debug)]
pub struct ScanOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c, 'a> ScanOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.scan";

    /// The array that is scanned.
    pub fn source(self) -> Value<'c, 'a> {
        self.operand(0)
    }

    /// The array that the results are written to.
    pub fn dest(self) -> Value<'c, 'a> {
        self.operand(1)
    }

    /// The states of tiles, which blocks exchange.
    pub fn workspace(self) -> Value<'c, 'a> {
        self.operand(2)
    }

    /// The number of the launch, an i32.
    pub fn epoch(self) -> Value<'c, 'a> {
        self.operand(3)
    }

    /// The initial value, before the first element.
    pub fn init(self) -> Option<Value<'c, 'a>> {
        // For an operand that does not exist, melior prints the op, which verifies it: endless recursion in the verifier.
        (self.0.operand_count() > 4).then(|| self.operand(4))
    }

    fn operand(self, index: usize) -> Value<'c, 'a> {
        self.0.operand_at(index).expect("ODS verifies the operands")
    }

    /// The type of an element; `None` when it is no number.
    pub fn element(self) -> Option<ScanElement<'c>> {
        ScanElement::new(MemRefType::try_from(self.source().r#type()).ok()?.element())
    }

    /// The operator.
    pub fn kind(self) -> CombineKind {
        integer(self.0, "kind").and_then(CombineKind::from_code).expect("ODS verifies the kind")
    }

    /// Whether an element's result excludes the element itself.
    pub fn is_exclusive(self) -> bool {
        integer(self.0, "mode") == Some(1)
    }

    /// The identity that the op states.
    pub fn identity(self) -> Option<Attribute<'c>> {
        self.0.attribute("identity").ok()
    }

    /// As [`kernel_names`].
    pub fn kernel(self) -> Option<(String, String)> {
        kernel_names(self.0)
    }

    /// The block of the region of a custom operator.
    pub fn combine(self) -> Option<BlockRef<'c, 'a>> {
        self.0.region_at(0)?.first_block()
    }
}

/// The names of the `gpu.module` and of the kernel that a host-side op states; `None` when the symbol does not have two parts.
pub fn kernel_names(op: OperationRef<'_, '_>) -> Option<(String, String)> {
    let text = op.attribute("kernel").ok()?.to_string();
    let mut parts = text.split("::");
    let mut name = || Some(parts.next()?.strip_prefix('@')?.trim_matches('"').to_owned());
    let names = (name()?, name()?);
    parts.next().is_none().then_some(names)
}

/// The type of an attribute that has one.
pub fn attribute_type<'c>(attribute: Attribute<'c>) -> Type<'c> {
    use melior::ir::AttributeLike;
    // SAFETY: the attribute is alive; its type, `none` if it has none, lives as long as its context.
    unsafe { Type::from_raw(mlir_sys::mlirAttributeGetType(attribute.to_raw())) }
}
