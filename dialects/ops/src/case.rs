//! TableGen's enums as attributes.

use melior::ir::Attribute;
use melior::ir::attribute::IntegerAttribute;
use tile_dialect::Ctx;

use crate::raw;

/// How the attribute of an enum is built.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// A number of this many bits.
    Integer(u32),
    /// `#dialect<before case after>`: MLIR's C API has no constructor for it.
    Text {
        /// The dialect of the attribute.
        dialect: &'static str,
        /// The mnemonic, and the text before the case.
        before: &'static str,
        /// The text after the case.
        after: &'static str,
    },
}

/// An enum of TableGen, or a set of its flags.
pub trait Case: Copy + PartialEq + std::fmt::Debug + 'static {
    /// How its attribute is built.
    const FORM: Form;
    /// All cases.
    const ALL: &'static [Self];

    /// The case's text in the text form of an attribute.
    fn text(self) -> String;

    /// The case's number.
    fn number(self) -> i64;

    /// The case of that number.
    fn of_number(number: i64) -> Option<Self>;

    /// The case of that text.
    fn of_text(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|case| case.text() == text)
    }

    /// The case as an attribute.
    fn attribute(self, context: Ctx<'_>) -> Attribute<'_> {
        match Self::FORM {
            Form::Integer(bits) => context.integer_attribute(bits, self.number()),
            Form::Text { dialect, before, after } => {
                raw::parse_attribute(context, &format!("#{dialect}<{before}{}{after}>", self.text()))
            }
        }
    }

    /// The case that an attribute holds.
    fn of(attribute: Attribute<'_>) -> Option<Self> {
        match Self::FORM {
            Form::Integer(_) => Self::of_number(IntegerAttribute::try_from(attribute).ok()?.value()),
            Form::Text { dialect, before, after } => {
                // `#gpu<dim x>`, or `#gpu.address_space<global>`
                let text = attribute.to_string();
                let text = text.strip_prefix('#')?.strip_prefix(dialect)?;
                let (text, after) = match text.strip_prefix('.') {
                    Some(text) => (text, after),
                    None => (text.strip_prefix('<')?.strip_suffix('>')?, after),
                };
                Self::of_text(text.strip_prefix(before)?.strip_suffix(after)?)
            }
        }
    }
}

/// An enum with a number and a word for each case.
macro_rules! cases {
    ($name:ident, $doc:expr, $form:expr, [$(($case:ident, $word:literal, $number:literal),)*]) => {
        #[doc = $doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(i64)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`.")] $case = $number,)*
        }

        impl $name {
            /// The word for it in the text form.
            pub const fn word(self) -> &'static str {
                match self { $($name::$case => $word,)* }
            }
        }

        impl crate::Case for $name {
            const FORM: crate::Form = $form;
            const ALL: &'static [Self] = &[$($name::$case,)*];

            fn text(self) -> String {
                self.word().to_owned()
            }

            fn number(self) -> i64 {
                self as i64
            }

            fn of_number(number: i64) -> Option<Self> {
                Self::ALL.iter().copied().find(|&case| case as i64 == number)
            }
        }
    };
}
pub(crate) use cases;

/// An enum of `tile-isa`, whose words and numbers are checked here against TableGen's.
macro_rules! isa_cases {
    ($name:ident, $doc:expr, $form:expr, [$(($case:ident, $word:literal, $number:literal),)*]) => {
        #[doc = $doc]
        pub use tile_isa::$name;

        $(const _: () = assert!(
            $name::$case as i64 == $number && crate::case::same($name::$case.name(), $word),
            concat!($word, " has another number or name in tile-isa"),
        );)*

        impl crate::Case for $name {
            const FORM: crate::Form = $form;
            const ALL: &'static [Self] = &[$($name::$case,)*];

            fn text(self) -> String {
                self.name().to_owned()
            }

            fn number(self) -> i64 {
                self as i64
            }

            fn of_number(number: i64) -> Option<Self> {
                $name::from_code(number)
            }
        }
    };
}
pub(crate) use isa_cases;

/// Whether two texts are the same.
pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// A set of flags.
macro_rules! flags {
    ($name:ident, $doc:expr, $form:expr, $separator:literal, [$(($case:ident, $word:literal, $number:literal),)*]) => {
        #[doc = $doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name(i64);

        impl $name {
            $(#[doc = concat!("`", $word, "`.")] pub const $case: Self = $name($number);)*

            /// Whether it has all flags of `other`.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                $name(self.0 | other.0)
            }
        }

        impl crate::Case for $name {
            const FORM: crate::Form = $form;
            const ALL: &'static [Self] = &[$(Self::$case,)*];

            fn text(self) -> String {
                let named: &[(i64, &str)] = &[$(($number, $word),)*];
                if let Some((_, word)) = named.iter().find(|(bits, _)| *bits == self.0) {
                    return (*word).to_owned();
                }
                let single = named.iter().filter(|(bits, _)| bits.count_ones() == 1 && self.0 & bits != 0);
                single.map(|(_, word)| *word).collect::<Vec<_>>().join($separator)
            }

            fn number(self) -> i64 {
                self.0
            }

            fn of_number(number: i64) -> Option<Self> {
                Some($name(number))
            }

            fn of_text(text: &str) -> Option<Self> {
                let named: &[(i64, &str)] = &[$(($number, $word),)*];
                let bits = |word: &str| Some(named.iter().find(|(_, known)| *known == word.trim())?.0);
                let separator: &str = $separator;
                let set = text.split(separator.trim()).map(bits).try_fold(0, |set, bits| Some(set | bits?))?;
                Some($name(set))
            }
        }
    };
}
pub(crate) use flags;
