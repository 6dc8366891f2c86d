//! Text for people and by people: spellings of names, quotations, numbers, safe output for terminals. A leaf.

mod base64;
mod fold;
mod number;
mod order;
mod printable;
mod quoted;
mod records;
mod shorten;
mod similar;
mod slug;
mod utf_16;

pub use base64::{base64, to_base64};
pub use fold::{
    folded, folded_name, is_cut_off, is_listed, listed, split_extension, undecorated, whole_part,
};
pub use number::{
    Duration, bytes, count, factor, fixed, percent, seconds, signed, signed_points, tokens,
};
pub use order::natural_order;
pub use printable::{hides, printable, printable_json, unusual};
pub use quoted::{WordIndex, quotation_parts, words};
pub use records::records;
pub use shorten::{cut, cut_line, cut_middle, first_words};
pub use similar::{mistyped, most_similar};
pub use slug::{Slugs, fnv, is_device, slug};
pub use utf_16::{ByteOrder, decode_utf_16, utf_16};
