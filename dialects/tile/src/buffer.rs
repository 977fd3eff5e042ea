//! `!tile.buffer`.

use melior::ir::r#type::MemRefType;
use melior::ir::{Attribute, AttributeLike, Location, Type, TypeLike};
use mlir_sys::MlirAttribute;
use tile_layout::{Axis, Layout};

pub use tile_isa::Space;

use crate::fragment::FragmentAttr;
use crate::layout_attr::{self, LayoutAttr};
use crate::shim::{self, BufferRef};

/// A `!tile.buffer` type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferType<'c>(Type<'c>);

impl<'c> BufferType<'c> {
    /// The type as a buffer, if it is one.
    pub fn from_type(r#type: Type<'c>) -> Option<Self> {
        // SAFETY: the type is not null and its context is alive.
        unsafe { shim::tileTypeIsABuffer(r#type.to_raw()) }.then_some(BufferType(r#type))
    }

    /// A buffer type; `None`, after an error at `location`, when the parts do not fit each other.
    pub fn new(
        location: Location<'c>,
        shape: &[i64],
        element: Type<'c>,
        space: Space,
        layout: LayoutAttr<'c>,
    ) -> Option<Self> {
        let parts = BufferRef {
            shape: shape.as_ptr(),
            rank: shape.len() as isize,
            element: element.to_raw(),
            space: space as i32,
            layout: layout.as_attribute().to_raw(),
            fragment: MlirAttribute { ptr: std::ptr::null() },
            is_auto: false,
        };
        Self::of_parts(location, parts)
    }

    /// The type of the same elements with a shape, whose layout is still to be chosen; `None`, after an error at `location`, where
    /// there is none.
    pub fn left_open(self, location: Location<'c>, shape: &[i64]) -> Option<Self> {
        let layout = LayoutAttr::new(location, &Layout::row_major(shape))?;
        let parts = BufferRef {
            shape: shape.as_ptr(),
            rank: shape.len() as isize,
            layout: layout.as_attribute().to_raw(),
            is_auto: true,
            ..self.parts()
        };
        Self::of_parts(location, parts)
    }

    /// The same tile, whose type prints that name instead of its layout; `None`, after an error at `location`, when the name
    /// stands for another layout.
    pub fn named(self, location: Location<'c>, fragment: FragmentAttr<'c>) -> Option<Self> {
        Self::of_parts(location, BufferRef { fragment: fragment.as_attribute().to_raw(), ..self.parts() })
    }

    fn of_parts(location: Location<'c>, parts: BufferRef) -> Option<Self> {
        // SAFETY: the shape outlives the call; the result is null or a type of the location's context.
        unsafe { Type::from_option_raw(shim::tileBufferTypeGet(location.to_raw(), parts)) }.map(BufferType)
    }

    fn parts(self) -> BufferRef {
        // SAFETY: the type is a buffer.
        unsafe { shim::tileBufferTypeGetParts(self.0.to_raw()) }
    }

    /// Extents per dimension, in elements.
    pub fn shape(self) -> &'c [i64] {
        let parts = self.parts();
        // SAFETY: a type's parameters live as long as its context.
        unsafe { layout_attr::slice(parts.shape, parts.rank) }
    }

    /// Type of one element.
    pub fn element(self) -> Type<'c> {
        // SAFETY: a buffer's element type is never null.
        unsafe { Type::from_raw(self.parts().element) }
    }

    /// The memory that the tile lives in.
    pub fn space(self) -> Space {
        Space::from_code(i64::from(self.parts().space)).expect("ODS knows these spaces only")
    }

    /// The location of each element in that memory.
    pub fn layout(self) -> Layout {
        self.layout_attr().layout()
    }

    /// The layout as an attribute.
    pub fn layout_attr(self) -> LayoutAttr<'c> {
        // SAFETY: a buffer's layout is never null.
        let attribute = unsafe { Attribute::from_raw(self.parts().layout) };
        LayoutAttr::from_attribute(attribute).expect("a buffer's layout is a layout")
    }

    /// Whether the layout is still to be chosen; until then it is the row-major one.
    pub fn is_auto(self) -> bool {
        self.parts().is_auto
    }

    /// The name that stands for the layout in the type's text, if there is one.
    pub fn fragment(self) -> Option<FragmentAttr<'c>> {
        // SAFETY: the attribute is null or alive.
        unsafe { Attribute::from_option_raw(self.parts().fragment) }.and_then(FragmentAttr::from_attribute)
    }

    /// The type of a thread's registers, in the numbering of the layout: what a `tile.local_view` gives.
    pub fn registers_type(self) -> Type<'c> {
        MemRefType::new(self.element(), &[self.layout().span(Axis::Memory)], None, None).into()
    }

    /// As a plain type.
    pub fn as_type(self) -> Type<'c> {
        self.0
    }
}
