//! Tensor maps, as the driver encodes them.

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::{
    self, CUtensorMapDataType_enum as Type, CUtensorMapFloatOOBfill_enum as Fill, CUtensorMapInterleave_enum as Pieces,
    CUtensorMapL2promotion_enum as Promotion, CUtensorMapSwizzle_enum as Chunks,
};
use ptx_sim::{
    Im2col, Interleave, L2Promotion, OutOfBounds, Swizzle, TENSOR_MAP_BYTES, TensorElement, TensorMap, TiledMap,
};

use super::{Buffer, CudaError, Gpu};

impl Gpu {
    /// The bytes of a tensor map of device memory.
    pub fn encode(&self, map: &TensorMap) -> Result<[u8; TENSOR_MAP_BYTES], CudaError> {
        let fields = &self.of_elements(map.arguments())?;
        let unknown = || CudaError::Kernel(format!("elements of type {} are not supported", fields.element));
        let element = element(fields.element).ok_or_else(unknown)?;
        self.enter()?;
        let mut encoded = MaybeUninit::<sys::CUtensorMap>::uninit();
        // SAFETY: a map has been checked to have as many extents, strides, steps and corners as its rank needs; the driver keeps
        // no pointer to them, does not access the tensor, and the map is aligned by its type.
        let result = unsafe {
            match &fields.im2col {
                None => encode_boxes(encoded.as_mut_ptr(), element, fields),
                Some(im2col) => encode_pixels(encoded.as_mut_ptr(), element, fields, im2col),
            }
        };
        result.result().map_err(CudaError::during("encoding a tensor map"))?;
        // SAFETY: written, as the call succeeded.
        let words = unsafe { encoded.assume_init() }.opaque;
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_ne_bytes).collect();
        Ok(std::array::from_fn(|i| bytes[i]))
    }

    /// The map, or what is encoded in place of an empty tensor's.
    fn of_elements(&self, fields: &TiledMap) -> Result<TiledMap, CudaError> {
        if !fields.is_empty() {
            return Ok(fields.clone());
        }
        let mut fillers = FILLERS.lock().unwrap_or_else(PoisonError::into_inner);
        let is_here = |filler: &Buffer| Arc::ptr_eq(&filler.gpu.context, &self.context);
        let place = match fillers.iter().position(|(known, filler)| known == fields && is_here(filler)) {
            Some(place) => place,
            None => {
                fillers.push((fields.clone(), self.alloc(FILLER_BYTES)?));
                fillers.len() - 1
            }
        };
        let (_, filler) = &mut fillers[place];
        filler.fill(fields.filler())?;
        Ok(fields.of_one_element(filler.address()))
    }
}

/// What the maps of empty tensors describe instead, as long as the process lives.
static FILLERS: Mutex<Vec<(TiledMap, Buffer)>> = Mutex::new(Vec::new());

/// Bytes of the element that there is in place of an empty tensor: what a store through its map may write.
const FILLER_BYTES: usize = 16;

/// A map of boxes.
///
/// # Safety
/// As many extents, strides and steps as the rank needs.
unsafe fn encode_boxes(into: *mut sys::CUtensorMap, element: Type, fields: &TiledMap) -> sys::CUresult {
    // SAFETY: the caller's.
    unsafe {
        sys::cuTensorMapEncodeTiled(
            into,
            element,
            fields.dims.len() as u32,
            ptr::without_provenance_mut(fields.base as usize),
            fields.dims.as_ptr(),
            fields.strides.as_ptr(),
            fields.box_dims.as_ptr(),
            fields.element_strides.as_ptr(),
            interleave(fields.interleave),
            swizzle(fields.swizzle),
            promotion(fields.promotion),
            fill(fields.fill),
        )
    }
}

/// A map of pixels that are walked through.
///
/// # Safety
/// The same, and as many numbers of the corners.
unsafe fn encode_pixels(
    into: *mut sys::CUtensorMap,
    element: Type,
    fields: &TiledMap,
    im2col: &Im2col,
) -> sys::CUresult {
    // SAFETY: the caller's.
    unsafe {
        sys::cuTensorMapEncodeIm2col(
            into,
            element,
            fields.dims.len() as u32,
            ptr::without_provenance_mut(fields.base as usize),
            fields.dims.as_ptr(),
            fields.strides.as_ptr(),
            im2col.lower.as_ptr(),
            im2col.upper.as_ptr(),
            fields.box_dims[0],
            im2col.pixels,
            fields.element_strides.as_ptr(),
            interleave(fields.interleave),
            swizzle(fields.swizzle),
            promotion(fields.promotion),
            fill(fields.fill),
        )
    }
}

/// The driver's number of a type; none for those that came later than the oldest supported driver.
fn element(element: TensorElement) -> Option<Type> {
    Some(match element {
        TensorElement::U8 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT8,
        TensorElement::U16 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT16,
        TensorElement::U32 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT32,
        TensorElement::I32 => Type::CU_TENSOR_MAP_DATA_TYPE_INT32,
        TensorElement::U64 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT64,
        TensorElement::I64 => Type::CU_TENSOR_MAP_DATA_TYPE_INT64,
        TensorElement::F16 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
        TensorElement::F32 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        TensorElement::F64 => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
        TensorElement::Bf16 => Type::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        TensorElement::F32Ftz => Type::CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
        TensorElement::Tf32 => Type::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
        TensorElement::Tf32Ftz => Type::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
        TensorElement::U4Align8 | TensorElement::U4Align16 | TensorElement::U6Align16 => return None,
    })
}

fn interleave(interleave: Interleave) -> Pieces {
    match interleave {
        Interleave::None => Pieces::CU_TENSOR_MAP_INTERLEAVE_NONE,
        Interleave::B16 => Pieces::CU_TENSOR_MAP_INTERLEAVE_16B,
        Interleave::B32 => Pieces::CU_TENSOR_MAP_INTERLEAVE_32B,
    }
}

fn swizzle(swizzle: Swizzle) -> Chunks {
    match swizzle {
        Swizzle::None => Chunks::CU_TENSOR_MAP_SWIZZLE_NONE,
        Swizzle::B32 => Chunks::CU_TENSOR_MAP_SWIZZLE_32B,
        Swizzle::B64 => Chunks::CU_TENSOR_MAP_SWIZZLE_64B,
        Swizzle::B128 => Chunks::CU_TENSOR_MAP_SWIZZLE_128B,
    }
}

fn promotion(promotion: L2Promotion) -> Promotion {
    match promotion {
        L2Promotion::None => Promotion::CU_TENSOR_MAP_L2_PROMOTION_NONE,
        L2Promotion::B64 => Promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
        L2Promotion::B128 => Promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        L2Promotion::B256 => Promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
    }
}

fn fill(fill: OutOfBounds) -> Fill {
    match fill {
        OutOfBounds::Zero => Fill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        OutOfBounds::Nan => Fill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers by which host programs name fields are those of the driver.
    #[test]
    fn enumerations_have_the_numbers_of_the_driver() {
        for &value in TensorElement::ALL {
            let number = element(value).map(|element| element as u32);
            assert!(number.is_none_or(|number| number == value.number()), "{value}");
        }
        assert!(Interleave::ALL.iter().all(|&value| interleave(value) as u32 == value.number()));
        assert!(Swizzle::ALL.iter().all(|&value| swizzle(value) as u32 == value.number()));
        assert!(L2Promotion::ALL.iter().all(|&value| promotion(value) as u32 == value.number()));
        assert!(OutOfBounds::ALL.iter().all(|&value| fill(value) as u32 == value.number()));
    }
}
