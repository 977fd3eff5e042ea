//! Draws copies: of tiles and of parts of them, by the block or by warps, in each way that a tile can be copied.

use super::draw::Draw;
use super::kernel::Tile;

/// A part of the rows of a tile.
struct Rows {
    /// The first one: a number, or a value.
    first: String,
    count: i64,
    /// Whether the first one depends on the warp.
    by_warp: bool,
}

impl Draw {
    /// Some rows of a tile, at a constant.
    fn rows(&mut self) -> Rows {
        let rows = self.kernel.shape[0];
        let count = *self.rng.one_of(&[rows, rows, rows / 2, rows / 4]);
        let first = count * self.rng.below(rows / count);
        Rows { first: first.to_string(), count, by_warp: false }
    }

    /// The rows of a copy by single warps: each copies its own part, or all copy the same.
    fn rows_of_warps(&mut self) -> Rows {
        let count = self.kernel.shape[0] / self.kernel.warps;
        let first = match self.rng.below(25) {
            0..=4 => "0",
            5..=8 => "%turned_row",
            _ => "%warp_row",
        };
        Rows { first: first.to_owned(), count, by_warp: first != "0" }
    }

    /// A copy or a fill; `some` is whether only some warps reach it.
    pub fn copy(&mut self, some: bool) {
        let by_warp = some || self.rng.once_in(4);
        let rows = if by_warp && self.kernel.warps > 1 && !some { self.rows_of_warps() } else { self.rows() };
        let [all, columns] = self.kernel.shape;
        let (first, count) = (&rows.first, rows.count);
        let moved = match self.rng.below(10) {
            0..=2 if !rows.by_warp => (count * self.rng.below(all / count)).to_string(),
            _ => first.clone(),
        };
        let [region, moved] = [first, &moved].map(|first| format!("[{first}, 0] [{count}, {columns}]"));
        let scope = if by_warp { "warp" } else { "cta" };
        let [from, to] = [(); 2].map(|()| self.rng.one_of(&self.kernel.tiles).clone());
        let (tile, buffer, element) = (&from.name, &from.buffer, self.kernel.element.name());
        match self.rng.below(10) {
            0 => self.lines.line(format!("tile.copy %a{region} to {tile}{moved} scope({scope}) : !matrix to {buffer}")),
            1 => {
                let group = if self.rng.once_in(4) { "" } else { " group" };
                self.lines.line(format!(
                    "tile.copy_async %a{region} to {tile}{moved} scope({scope}){group} : !matrix to {buffer}"
                ));
            }
            2 | 3 => {
                self.lines.line(format!("tile.copy {tile}{region} to %b{moved} scope({scope}) : {buffer} to !result"));
            }
            4 if from != to => {
                let (other, its) = (&to.name, &to.buffer);
                self.lines
                    .line(format!("tile.copy {tile}{region} to {other}{moved} scope({scope}) : {buffer} to {its}"));
            }
            5 => self.lines.line(format!("tile.fill %zero to {tile}{region} scope({scope}) : {element} to {buffer}")),
            6 if from.is_dense && !some && !self.kernel.is_open => self.store_in_bulk(&from),
            7 => self.masked(&from, scope, count),
            _ if !by_warp && all * columns % self.kernel.threads() == 0 => self.through_registers(&from, &to),
            _ => {}
        }
    }

    /// A bulk copy of a whole tile to the result; mostly with the fence before it and the wait behind it that it needs.
    fn store_in_bulk(&mut self, tile: &Tile) {
        if !self.rng.once_in(5) {
            self.lines
                .line("nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}");
        }
        self.barrier(None);
        let [rows, columns] = self.kernel.shape;
        let (whole, name, buffer) = (format!("[0, 0] [{rows}, {columns}]"), &tile.name, &tile.buffer);
        self.lines.line(format!(
            "tile.copy_async {name}{whole} to %b{whole} scope(cta) bulk_group {{variant = \"bulk\"}} : \
             {buffer} to !result"
        ));
        if self.rng.below(100) < 85 {
            let (left, read) = (i64::from(self.rng.once_in(4)), if self.rng.once_in(2) { " {read}" } else { "" });
            self.lines.line(format!("nvvm.cp.async.bulk.wait_group {left}{read}"));
        }
    }

    /// A copy of a tile through the registers of the block, to another tile or to the result.
    fn through_registers(&mut self, from: &Tile, to: &Tile) {
        let ([rows, columns], threads) = (self.kernel.shape, self.kernel.threads());
        let each = rows * columns / threads;
        let layouts = [format!("({threads}, {each}) : (1@tx, 1)"), format!("({each}, {threads}) : (1, 1@tx)")];
        let layout = self.rng.one_of(&layouts);
        let held =
            format!("!tile.buffer<{rows}x{columns}x{}, local, #tile.layout<{layout}>>", self.kernel.element.name());
        let name = self.lines.value(format!("tile.alloc : {held}"));
        self.lines.line(format!("tile.copy {} to {name} scope(cta) : {} to {held}", from.name, from.buffer));
        self.barrier(None);
        // LLVM would drop a store of the value that is already there.
        let shared = self.rng.once_in(2) && !(self.lasting && from == to);
        let whole = if self.kernel.is_open { format!("[0, 0] [{rows}, {columns}]") } else { String::new() };
        let (to, buffer) =
            if shared { (to.name.clone(), to.buffer.as_str()) } else { (format!("%b{whole}"), "!result") };
        self.lines.line(format!("tile.copy {name} to {to} scope(cta) : {held} to {buffer}"));
    }

    /// A masked copy of rows at a run-time begin, some of which may be outside.
    fn masked(&mut self, tile: &Tile, scope: &str, count: i64) {
        let (part, begin) =
            (format!("[{count}, {}]", self.kernel.shape[1]), *self.rng.one_of(&["%edge", "%edge", "0"]));
        let fill = match self.rng.once_in(2) {
            true => format!(" fill(%zero : {})", self.kernel.element.name()),
            false => String::new(),
        };
        let (name, buffer) = (&tile.name, &tile.buffer);
        self.lines.line(match self.rng.below(3) {
            0 => format!(
                "tile.copy {name}[0, 0] {part} to %b[{begin}, 0] {part} scope({scope}) masked : {buffer} to !result"
            ),
            1 => format!(
                "tile.copy_async %a[{begin}, 0] {part} to {name}[0, 0] {part} scope({scope}) group masked{fill} : \
                 !matrix to {buffer}"
            ),
            _ => format!(
                "tile.copy %a[{begin}, 0] {part} to {name}[0, 0] {part} scope({scope}) masked{fill} : \
                 !matrix to {buffer}"
            ),
        });
    }

    /// A copy of some columns to those that an iteration comes to, which may be some of the previous ones.
    pub fn along_columns(&mut self, variable: &str) {
        let tile = self.rng.one_of(&self.kernel.tiles).clone();
        let (width, step) = *self.rng.one_of(&[(4, 4), (4, 4), (8, 4), (4, 1)]);
        let column = self.lines.with("muli", variable, step);
        let by_warp = self.rng.once_in(2);
        let rows = self.kernel.shape[0];
        let (count, row, scope) =
            if by_warp { (rows / self.kernel.warps, "%warp_row", "warp") } else { (rows, "0", "cta") };
        let region = format!("[{count}, {width}]");
        self.lines.line(format!(
            "tile.copy {}[{row}, 0] {region} to %b[{row}, {column}] {region} scope({scope}) : {} to !result",
            tile.name, tile.buffer
        ));
    }

    /// A copy to or from a stage of the ring.
    pub fn staged(&mut self, variable: &str) {
        let [rows, columns] = self.kernel.shape;
        let (tile, ring) = (format!("[1, {rows}, {columns}]"), self.kernel.ring());
        let ahead = *self.rng.one_of(&[0, 0, 1, self.kernel.stages - 1]);
        let next = self.lines.with("addi", variable, ahead);
        let stage = self.lines.value(format!("arith.remui {next}, %stages : index"));
        self.lines.line(match self.rng.below(4) {
            0 => {
                format!("tile.copy %c[0, 0, 0] {tile} to %ring[{stage}, 0, 0] {tile} scope(cta) : !matrices to {ring}")
            }
            1 => format!(
                "tile.copy_async %c[0, 0, 0] {tile} to %ring[{stage}, 0, 0] {tile} scope(cta) group : \
                 !matrices to {ring}"
            ),
            _ => {
                let row = *self.rng.one_of(&["0", variable]);
                format!(
                    "tile.copy %ring[{stage}, 0, 0] {tile} to %d[{row}, 0, 0] {tile} scope(cta) : {ring} to !results"
                )
            }
        });
    }
}
