//! The address formula, evaluated over an arithmetic that writes programs.

use tile_layout::{Axis, IndexArith, Layout};

/// Writes the requested computation as text.
struct Text;

impl Text {
    fn operation(a: String, sign: &str, b: String) -> String {
        format!("({a} {sign} {b})")
    }
}

impl IndexArith for Text {
    type Value = String;

    fn constant(&mut self, value: i64) -> String {
        value.to_string()
    }
    fn add(&mut self, a: String, b: String) -> String {
        Text::operation(a, "+", b)
    }
    fn sub(&mut self, a: String, b: String) -> String {
        Text::operation(a, "-", b)
    }
    fn mul(&mut self, a: String, b: String) -> String {
        Text::operation(a, "*", b)
    }
    fn div(&mut self, a: String, b: String) -> String {
        Text::operation(a, "/", b)
    }
    fn rem(&mut self, a: String, b: String) -> String {
        Text::operation(a, "%", b)
    }
    fn xor(&mut self, a: String, b: String) -> String {
        Text::operation(a, "^", b)
    }
    fn and(&mut self, a: String, b: String) -> String {
        Text::operation(a, "&", b)
    }
    fn shl(&mut self, a: String, b: String) -> String {
        Text::operation(a, "<<", b)
    }
    fn shr(&mut self, a: String, b: String) -> String {
        Text::operation(a, ">>", b)
    }
}

/// The program for one axis at coordinate (i, j).
fn program(layout: &str, shape: &[i64], axis: Axis) -> String {
    let layout = Layout::parse(layout).unwrap();
    let coords = ["i".to_owned(), "j".to_owned()];
    layout.locate(&mut Text, &coords, shape).unwrap().remove(&axis).unwrap()
}

#[test]
fn coordinates_are_split_in_their_own_group() {
    let fragment = "(8, 4, 2) : (4@laneid, 1@laneid, 1)";
    assert_eq!(program(fragment, &[8, 8], Axis::LaneId), "((i * 4) + (j / 2))");
    assert_eq!(program(fragment, &[8, 8], Axis::Memory), "(j % 2)");
}

#[test]
fn joined_iters_need_no_division() {
    assert_eq!(program("(4, 2, 8) : (16, 8, 1)", &[8, 8], Axis::Memory), "((i * 8) + j)");
    assert_eq!(program("(1, 8, 8) : (5, 8, 1) + 3", &[8, 8], Axis::Memory), "(((i * 8) + j) + 3)");
}

#[test]
fn what_moves_nothing_is_not_computed() {
    assert_eq!(program("(8, 2, 4) : (0, 1, 0)", &[8, 8], Axis::Memory), "(j / 4)");
    assert_eq!(program("(8, 8) : (0, 0)", &[8, 8], Axis::Memory), "0");
}

#[test]
fn coordinates_are_joined_where_groups_do_not_fit() {
    assert_eq!(
        program("(4, 6) : (10, 1)", &[3, 8], Axis::Memory),
        "(((j + (i * 8)) % 6) + (((j + (i * 8)) / 6) * 10))"
    );
}

#[test]
fn swizzles_are_three_operations() {
    let swizzled = Layout::parse("(8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>").unwrap();
    let place = |layout: &Layout| layout.locate_linear(&mut Text, "x".to_owned()).remove(&Axis::Memory).unwrap();
    assert_eq!(place(&swizzled), "(x ^ ((x >> 3) & 56))");
    let outer = Layout::parse("(512) : (1), swizzle<base = 3, bits = 3, shift = 3, outer>").unwrap();
    assert_eq!(place(&outer), "(x ^ ((x & 56) << 3))");
}
