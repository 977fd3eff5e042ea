//! Tensor maps as texts: `type=f16,dims=64x512,strides=128,box=64x64,swizzle=128`; of pixels that are walked through, `channels`,
//! `pixels`, `lower` and `upper` are in place of `box`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::element::UnknownName;
use super::{Im2col, TiledMap};

/// Why a text does not describe a tensor map.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MapTextError {
    /// A part without `=`.
    #[error("got `{0}`, expected FIELD=VALUE")]
    Form(String),
    /// A field that there is not.
    #[error(
        "got field `{0}`, expected type, dims, strides, box, element_strides, interleave, swizzle, promotion or fill; or channels, \
         pixels, lower and upper in place of box"
    )]
    Field(String),
    /// A field that is stated twice.
    #[error("got field `{0}` twice")]
    Twice(String),
    /// A field without which there is no map.
    #[error("field `{0}` is missing")]
    Missing(&'static str),
    /// A list of numbers.
    #[error("got `{got}` as {field}, expected whole numbers with an x between them, the innermost dimension first")]
    Numbers {
        /// The field.
        field: &'static str,
        /// Its text.
        got: String,
    },
    /// A word.
    #[error(transparent)]
    Name(#[from] UnknownName),
}

/// The fields of a text, in its order.
struct Fields<'t>(Vec<(&'t str, &'t str)>);

impl<'t> Fields<'t> {
    fn of(text: &'t str) -> Result<Self, MapTextError> {
        let mut fields: Vec<(&str, &str)> = Vec::new();
        for part in text.split(',') {
            let (name, value) = part.split_once('=').ok_or_else(|| MapTextError::Form(part.into()))?;
            if fields.iter().any(|(known, _)| *known == name) {
                return Err(MapTextError::Twice(name.into()));
            }
            fields.push((name, value));
        }
        Ok(Self(fields))
    }

    fn take(&mut self, name: &str) -> Option<&'t str> {
        let at = self.0.iter().position(|(known, _)| *known == name)?;
        Some(self.0.remove(at).1)
    }

    fn word<T: FromStr<Err = UnknownName>>(&mut self, name: &'static str) -> Result<Option<T>, MapTextError> {
        Ok(self.take(name).map(str::parse).transpose()?)
    }

    fn numbers<T: FromStr>(&mut self, field: &'static str) -> Result<Option<Vec<T>>, MapTextError> {
        let Some(text) = self.take(field) else { return Ok(None) };
        // The strides of a tensor of one dimension.
        let words = text.split('x').filter(|_| !text.is_empty());
        let numbers = words.map(str::parse).collect::<Result<_, _>>();
        numbers.map(Some).map_err(|_| MapTextError::Numbers { field, got: text.into() })
    }

    /// One number.
    fn number(&mut self, field: &'static str) -> Result<u32, MapTextError> {
        let Some(text) = self.take(field) else { return Err(MapTextError::Missing(field)) };
        text.parse().map_err(|_| MapTextError::Numbers { field, got: text.into() })
    }

    /// The extents of a box, or the pixels that are walked through.
    fn boxes(&mut self, rank: usize) -> Result<(Vec<u32>, Option<Im2col>), MapTextError> {
        if !self.0.iter().any(|(name, _)| *name == "pixels") {
            return Ok((self.numbers("box")?.ok_or(MapTextError::Missing("box"))?, None));
        }
        let mut box_dims = vec![1; rank];
        let channels = self.number("channels")?;
        box_dims.iter_mut().take(1).for_each(|first| *first = channels);
        let mut corner = |field| self.numbers(field)?.ok_or(MapTextError::Missing(field));
        let (lower, upper) = (corner("lower")?, corner("upper")?);
        Ok((box_dims, Some(Im2col { lower, upper, pixels: self.number("pixels")? })))
    }
}

impl FromStr for TiledMap {
    type Err = MapTextError;

    /// The map at address 0 that a text describes. Without `strides`, rows follow each other without gaps.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut fields = Fields::of(text)?;
        let element = fields.word("type")?.ok_or(MapTextError::Missing("type"))?;
        let dims = fields.numbers("dims")?.ok_or(MapTextError::Missing("dims"))?;
        let (box_dims, im2col) = fields.boxes(dims.len())?;
        let strides = fields.numbers("strides")?;
        let mut map = Self::new(element, 0, &dims, &[], &box_dims);
        map.strides = strides.unwrap_or_else(|| map.dense());
        map.element_strides = fields.numbers("element_strides")?.unwrap_or(map.element_strides);
        map.interleave = fields.word("interleave")?.unwrap_or(map.interleave);
        map.swizzle = fields.word("swizzle")?.unwrap_or(map.swizzle);
        map.promotion = fields.word("promotion")?.unwrap_or(map.promotion);
        map.fill = fields.word("fill")?.unwrap_or(map.fill);
        map.im2col = im2col;
        match fields.0.first() {
            None => Ok(map),
            Some((name, _)) => Err(MapTextError::Field((*name).into())),
        }
    }
}

impl TiledMap {
    /// The strides of a tensor without gaps.
    fn dense(&self) -> Vec<u64> {
        let inner = self.dims.iter().take(self.dims.len().saturating_sub(1));
        let next = |bytes: &mut u64, &extent: &u64| {
            *bytes = bytes.saturating_mul(extent);
            Some(*bytes)
        };
        inner.scan(self.element.bytes(), next).collect()
    }
}

impl fmt::Display for TiledMap {
    /// All fields except the base.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: ToString>(numbers: &[T]) -> String {
            numbers.iter().map(T::to_string).collect::<Vec<_>>().join("x")
        }
        let Self { element, dims, strides, box_dims, element_strides, .. } = self;
        let Self { interleave, swizzle, promotion, fill, .. } = self;
        write!(f, "type={element},dims={},strides={},", list(dims), list(strides))?;
        match &self.im2col {
            None => write!(f, "box={},", list(box_dims))?,
            Some(Im2col { lower, upper, pixels }) => {
                let channels = box_dims.first().copied().unwrap_or_default();
                write!(f, "channels={channels},pixels={pixels},lower={},upper={},", list(lower), list(upper))?;
            }
        }
        write!(f, "element_strides={},", list(element_strides))?;
        write!(f, "interleave={interleave},swizzle={swizzle},promotion={promotion},fill={fill}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{OutOfBounds, Swizzle, TensorElement};
    use super::*;

    #[test]
    fn texts_round_trip() {
        let short: TiledMap = "type=f16,dims=64x512x3,box=64x64x1,swizzle=128".parse().unwrap();
        let long = TiledMap::new(TensorElement::F16, 0, &[64, 512, 3], &[128, 65536], &[64, 64, 1]);
        assert_eq!(short, TiledMap { swizzle: Swizzle::B128, ..long });
        let images: TiledMap = "type=f16,dims=64x9x7,channels=32,pixels=80,lower=-1,upper=-2".parse().unwrap();
        let pixels = Im2col { lower: vec![-1], upper: vec![-2], pixels: 80 };
        let expected = TiledMap::new(TensorElement::F16, 0, &[64, 9, 7], &[128, 1152], &[32, 1, 1]);
        assert_eq!(images, TiledMap { im2col: Some(pixels), ..expected });
        let row = TiledMap::new(TensorElement::U8, 0, &[64], &[], &[64]);
        for map in [short, images, TiledMap { fill: OutOfBounds::Nan, element_strides: vec![3], ..row }] {
            assert_eq!(map.to_string().parse(), Ok(map));
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| text.parse::<TiledMap>().unwrap_err().to_string();
        assert_eq!(error("f16"), "got `f16`, expected FIELD=VALUE");
        assert_eq!(error("type=f16,dims=8"), "field `box` is missing");
        assert_eq!(error("type=f16,type=f16"), "got field `type` twice");
        assert_eq!(error("type=f16,dims=8x8x8,pixels=8,channels=8,lower=0"), "field `upper` is missing");
        assert_eq!(error("type=f16,dims=8x8x8,pixels=8"), "field `channels` is missing");
        assert!(error("type=f16,dims=8,box=8,fil=zero").starts_with("got field `fil`, expected type, dims,"));
        assert!(error("type=half,dims=8,box=8").starts_with("got element type `half`, expected u8, u16,"));
        assert!(error("type=f16,dims=8*8,box=8").starts_with("got `8*8` as dims, expected whole numbers"));
        assert!(error("type=f16,dims=8,box=8,swizzle=16").starts_with("got swizzle `16`, expected none, 32"));
    }
}
