//! Memrefs of kernels: what their types say, and what they are when the kernel runs.

use super::element::Element;

/// A number of a type: `?` unless it is static.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its value when the kernel runs.
    pub value: i64,
    /// Whether the type says it.
    pub is_static: bool,
}

impl Number {
    /// A number that types say.
    pub fn known(value: i64) -> Self {
        Number { value, is_static: true }
    }

    /// The product, as subviews infer it: static zeros make zeros.
    pub fn times(self, other: Number) -> Number {
        let zero = |number: Number| number.is_static && number.value == 0;
        let is_static = self.is_static && other.is_static || zero(self) || zero(other);
        Number { value: self.value * other.value, is_static }
    }

    /// The sum.
    pub fn plus(self, other: Number) -> Number {
        Number { value: self.value + other.value, is_static: self.is_static && other.is_static }
    }

    /// As it stands in types and lists of operands.
    pub fn text(self) -> String {
        if self.is_static { self.value.to_string() } else { "?".to_owned() }
    }
}

/// A memref value of a kernel.
#[derive(Clone, Debug)]
pub struct Memref {
    /// Its name: `%a0`.
    pub name: String,
    /// Its elements.
    pub element: Element,
    /// Its extents.
    pub sizes: Vec<Number>,
    /// Strides and offset; none if its type has no layout.
    pub layout: Option<(Vec<Number>, Number)>,
    /// Whether it is workgroup memory.
    pub shared: bool,
}

impl Memref {
    /// Its extents when the kernel runs.
    pub fn shape(&self) -> Vec<i64> {
        self.sizes.iter().map(|size| size.value).collect()
    }

    /// Its strides and its offset.
    pub fn strides(&self) -> (Vec<Number>, Number) {
        if let Some(layout) = &self.layout {
            return layout.clone();
        }
        let mut strides = vec![Number::known(1); self.sizes.len()];
        for i in (1..strides.len()).rev() {
            let (size, stride) = (self.sizes[i], strides[i]);
            strides[i - 1] = Number { value: size.value * stride.value, is_static: size.is_static && stride.is_static };
        }
        (strides, Number::known(0))
    }

    /// Its type.
    pub fn text(&self) -> String {
        let sizes: String = self.sizes.iter().map(|size| size.text() + "x").collect();
        let layout = self.layout.as_ref().map_or_else(String::new, |(strides, offset)| {
            let strides: Vec<String> = strides.iter().map(|stride| stride.text()).collect();
            let offset =
                if *offset == Number::known(0) { String::new() } else { format!(", offset: {}", offset.text()) };
            format!(", strided<[{}]{offset}>", strides.join(", "))
        });
        let space = if self.shared { ", 3" } else { "" };
        format!("memref<{sizes}{}{layout}{space}>", self.element.name)
    }

    /// The numbers that its type leaves open, in the order in which kernels take them: offset, extents, strides.
    pub fn open_numbers(&self) -> Vec<i64> {
        let (strides, offset) = self.layout.clone().unwrap_or_else(|| (Vec::new(), Number::known(0)));
        let open = |number: &Number| (!number.is_static).then_some(number.value);
        [offset].iter().chain(&self.sizes).chain(&strides).filter_map(open).collect()
    }
}
