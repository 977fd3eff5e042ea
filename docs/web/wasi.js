// Runs a program that was compiled for WASI preview 1 on files in memory: what `tile-run` needs of an operating system.

"use strict";

const WASI = { OK: 0, BADF: 8, NOENT: 44, NOSYS: 52, ROFS: 69 };

class Exit extends Error {
  constructor(status) {
    super(`exit status ${status}`);
    this.status = status;
  }
}

// Runs a compiled module with arguments, whose first is the program's name. `files` are the contents of the current folder by name;
// `write` takes what the program prints, as text. Returns the exit status.
function runWasi(module, words, files, write) {
  const encoder = new TextEncoder();
  const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  const texts = words.map((word) => encoder.encode(`${word}\0`));
  // Descriptor 3 is the folder; files follow.
  const open = new Map();
  let memory;
  const view = () => new DataView(memory.buffer);
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  const set32 = (at, value) => view().setUint32(at, value, true);
  const set64 = (at, value) => view().setBigUint64(at, BigInt(value), true);

  // The pieces of a list of buffers.
  const pieces = (list, count) => Array.from({ length: count }, (_, k) =>
    bytes(view().getUint32(list + 8 * k, true), view().getUint32(list + 8 * k + 4, true)));

  const calls = {
    args_sizes_get(count, size) {
      set32(count, texts.length);
      set32(size, texts.reduce((all, text) => all + text.length, 0));
      return WASI.OK;
    },
    args_get(pointers, at) {
      for (const text of texts) {
        set32(pointers, at);
        bytes(at, text.length).set(text);
        [pointers, at] = [pointers + 4, at + text.length];
      }
      return WASI.OK;
    },
    environ_sizes_get(count, size) {
      set32(count, 0);
      set32(size, 0);
      return WASI.OK;
    },
    environ_get: () => WASI.OK,
    clock_time_get(clock, precision, at) {
      set64(at, Math.round(performance.now() * 1e6));
      return WASI.OK;
    },
    random_get(at, length) {
      crypto.getRandomValues(bytes(at, length));
      return WASI.OK;
    },
    sched_yield: () => WASI.OK,
    proc_exit(status) {
      throw new Exit(status);
    },
    fd_prestat_get(fd, at) {
      if (fd !== 3) return WASI.BADF;
      set32(at, 0);
      set32(at + 4, 1);
      return WASI.OK;
    },
    fd_prestat_dir_name(fd, at) {
      bytes(at, 1).set([".".charCodeAt(0)]);
      return WASI.OK;
    },
    fd_fdstat_get(fd, at) {
      if (fd > 3 && !open.has(fd)) return WASI.BADF;
      bytes(at, 24).fill(0);
      // A folder, or a regular file, so that nothing takes the output for a terminal.
      view().setUint8(at, fd === 3 ? 3 : 4);
      set64(at + 8, 0x1fffffffn);
      set64(at + 16, 0x1fffffffn);
      return WASI.OK;
    },
    fd_filestat_get(fd, at) {
      if (!open.has(fd)) return WASI.BADF;
      bytes(at, 64).fill(0);
      view().setUint8(at + 16, 4);
      set64(at + 32, open.get(fd).contents.length);
      return WASI.OK;
    },
    path_open(folder, follow, path, length, flags, base, inheriting, fdflags, at) {
      const name = new TextDecoder().decode(bytes(path, length));
      if (flags !== 0) return WASI.ROFS;
      if (!(name in files)) return WASI.NOENT;
      const fd = 4 + open.size;
      open.set(fd, { contents: encoder.encode(files[name]), offset: 0 });
      set32(at, fd);
      return WASI.OK;
    },
    fd_read(fd, list, count, at) {
      const file = open.get(fd);
      if (!file) return WASI.BADF;
      let total = 0;
      for (const piece of pieces(list, count)) {
        const part = file.contents.subarray(file.offset, file.offset + piece.length);
        piece.set(part);
        file.offset += part.length;
        total += part.length;
      }
      set32(at, total);
      return WASI.OK;
    },
    fd_seek(fd, offset, whence, at) {
      const file = open.get(fd);
      if (!file) return WASI.BADF;
      file.offset = Number(offset) + [0, file.offset, file.contents.length][whence];
      set64(at, file.offset);
      return WASI.OK;
    },
    fd_close: () => WASI.OK,
    fd_write(fd, list, count, at) {
      if (!(fd in decoders)) return WASI.BADF;
      let total = 0;
      for (const piece of pieces(list, count)) {
        write(decoders[fd].decode(piece, { stream: true }));
        total += piece.length;
      }
      set32(at, total);
      return WASI.OK;
    },
  };

  const names = WebAssembly.Module.imports(module).map(({ name }) => name);
  const imports = Object.fromEntries(names.map((name) => [name, calls[name] ?? (() => WASI.NOSYS)]));
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports });
  memory = instance.exports.memory;
  try {
    instance.exports._start();
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.status;
    throw error;
  }
}
