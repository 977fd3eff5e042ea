//! What each family of accesses plans, against enumeration.

mod bulk;
mod dsmem;
mod exchange;
mod fallback;
mod forced;
mod gmem_smem;
mod ldgsts;
mod ldstmatrix;
mod realign;
mod realign_tiles;
mod realigned_loads;
mod reg;
mod registers;
mod rims;
mod synchronous;
mod tcgen05_cp;
mod tcgen05_ldst;
mod tensor_map;
mod transpose;
mod vectorize;
mod wanted;
mod widest;
