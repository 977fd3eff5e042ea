//! State spaces (PTX ISA 5.1) and fundamental types (5.2).

/// A state space that an instruction or a declaration names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// No space stated: the address determines it.
    Generic,
    /// Memory of the device.
    Global,
    /// Memory of a block, by an address inside the executing block.
    Shared,
    /// Memory of any block of the cluster.
    SharedCluster,
    /// Memory of a thread.
    Local,
    /// Kernel parameters, and arguments of calls.
    Param,
    /// Read-only memory.
    Const,
}

impl Space {
    /// The space that a modifier such as `shared::cta` names.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "global" => Self::Global,
            "shared" | "shared::cta" => Self::Shared,
            "shared::cluster" => Self::SharedCluster,
            "local" => Self::Local,
            "param" | "param::entry" | "param::func" => Self::Param,
            "const" => Self::Const,
            _ => return None,
        })
    }

    /// The name used in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Global => "global",
            Self::Shared => "shared",
            Self::SharedCluster => "shared::cluster",
            Self::Local => "local",
            Self::Param => "param",
            Self::Const => "const",
        }
    }
}

/// The interpretation of a scalar's bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    Bits,
    Unsigned,
    Signed,
    Float,
    /// bf16.
    Brain,
    Predicate,
}

/// A scalar type, or a packed pair (`f16x2`): class, bits of one element, elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type {
    pub(crate) class: Class,
    /// Bits of one element.
    pub(crate) bits: u32,
    /// Elements packed into one register: 1, or 2 for `f16x2` and similar types.
    pub(crate) packed: u32,
}

impl Type {
    const fn scalar(class: Class, bits: u32) -> Self {
        Self { class, bits, packed: 1 }
    }

    pub(crate) const B64: Self = Self::scalar(Class::Bits, 64);

    pub(crate) fn parse(name: &str) -> Option<Self> {
        use Class::*;
        Some(match name {
            "pred" => Self::scalar(Predicate, 1),
            "b8" => Self::scalar(Bits, 8),
            "b16" => Self::scalar(Bits, 16),
            "b32" => Self::scalar(Bits, 32),
            "b64" => Self::scalar(Bits, 64),
            "b128" => Self::scalar(Bits, 128),
            "u8" => Self::scalar(Unsigned, 8),
            "u16" => Self::scalar(Unsigned, 16),
            "u32" => Self::scalar(Unsigned, 32),
            "u64" => Self::scalar(Unsigned, 64),
            "s8" => Self::scalar(Signed, 8),
            "s16" => Self::scalar(Signed, 16),
            "s32" => Self::scalar(Signed, 32),
            "s64" => Self::scalar(Signed, 64),
            "f16" => Self::scalar(Float, 16),
            "f32" => Self::scalar(Float, 32),
            "f64" => Self::scalar(Float, 64),
            "bf16" => Self::scalar(Brain, 16),
            "f16x2" => Self { class: Float, bits: 16, packed: 2 },
            "bf16x2" => Self { class: Brain, bits: 16, packed: 2 },
            "f32x2" => Self { class: Float, bits: 32, packed: 2 },
            "u16x2" => Self { class: Unsigned, bits: 16, packed: 2 },
            "s16x2" => Self { class: Signed, bits: 16, packed: 2 },
            _ => return None,
        })
    }

    /// Bits of the whole value.
    pub(crate) fn width(self) -> u32 {
        self.bits * self.packed
    }

    /// Bytes that the value takes in memory.
    pub(crate) fn bytes(self) -> u64 {
        u64::from(self.width() / 8)
    }

    pub(crate) fn is_signed(self) -> bool {
        self.class == Class::Signed
    }
}
