// The page of tile-layout: a form for each mode, whose fields become the arguments of a command line.
"use strict";

const LAYOUT = "a layout, such as (8, 64) : (64, 1), Sw<3, 3, 3>";

// The fields of a mode, in the order of the form. `flag` is the option that a field becomes; without one it is an operand.
// A field that is empty is left out, and `only` says for which commands it is one.
const MODES = {
  layout: {
    title: "Layout",
    commands: ["show"],
    picture: true,
    fields: [
      { name: "layout", label: "layout", hint: LAYOUT, value: "(8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>" },
      { name: "shape", label: "shape", flag: "--shape", hint: "such as 16x16; needed for fragments" },
      { name: "bits", label: "element bits", flag: "--element-bits", hint: "16" },
      { name: "axis", label: "axis", flag: "--axis", hint: "m, laneid, warpid, …; all axes if empty" },
      { name: "at", label: "first element", flag: "--at", hint: "such as 0,32" },
      { name: "region", label: "shown extents", flag: "--region", hint: "such as 8x64" },
      { name: "chunk", label: "chunk", flag: "--chunk", hint: "draw one of so many columns", value: "8" },
    ],
    examples: {
      "a swizzle, in chunks of 16 bytes": {},
      "sums of mma.m16n8k16": { layout: "#tile.fragment<mma.m16n8k16.c>", shape: "16x8", bits: "32", chunk: "" },
      "a warp's rows": { layout: "(8, 4, 2) : (4@laneid, 1@laneid, 1)", shape: "8x8", chunk: "" },
      "Triton's linear layout": {
        layout: "{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}",
        chunk: "",
      },
    },
  },
  banks: {
    title: "Banks",
    commands: ["banks"],
    picture: true,
    fields: [
      { name: "layout", label: "tile in shared memory", hint: LAYOUT, value: "(64, 64) : (64, 1)" },
      { name: "lanes", label: "lanes", flag: "--lanes", hint: "lane and register of each element", value: "(8, 8) : (1@laneid, 1)" },
      { name: "at", label: "begins at", flag: "--at", hint: "such as 0,8" },
      { name: "bytes", label: "element bytes", flag: "--element-bytes", hint: "2" },
      { name: "vector", label: "elements at once", flag: "--vector", hint: "what 16 bytes hold" },
    ],
    examples: {
      "ldmatrix of rows of 128 bytes: 8 wavefronts": {},
      "the same with a swizzle: 1 wavefront": { layout: "(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>" },
      "a column of floats": { layout: "(32, 32) : (32, 1)", lanes: "(32, 1) : (1@laneid, 1)", bytes: "4" },
      "a column of floats, rows padded": { layout: "(32, 32) : (33, 1)", lanes: "(32, 1) : (1@laneid, 1)", bytes: "4" },
    },
  },
  copy: {
    title: "Copy",
    commands: ["plan", "copy"],
    picture: true,
    fields: [
      { name: "layout", label: "source", hint: LAYOUT, value: "(16, 32) : (32, 1)" },
      { name: "destination", label: "destination", hint: LAYOUT, value: "(16, 32) : (32, 1), swizzle<base = 3, bits = 2, shift = 3>" },
      { name: "shape", label: "shape", flag: "--shape", hint: "such as 16x16; needed for fragments" },
      { name: "bits", label: "element bits", flag: "--element-bits", hint: "16" },
      { name: "from", label: "from", flag: "--from", options: ["global", "shared", "local", "tmem"], only: "plan" },
      { name: "to", label: "to", flag: "--to", options: ["shared", "global", "local", "tmem"], only: "plan" },
      { name: "threads", label: "threads of the block", flag: "--threads", hint: "128", value: "32", only: "plan" },
      { name: "scope", label: "shared by", flag: "--scope", options: ["cta", "warpgroup", "warp", "thread"], only: "plan" },
      { name: "align", label: "aligned to bytes", flag: "--align", hint: "128", only: "plan" },
      { name: "chip", label: "chip", flag: "--chip", hint: "sm_90a", only: "plan" },
      { name: "async", label: "in flight", flag: "--async", check: true, only: "plan" },
      { name: "arrows", label: "arrows", flag: "--arrows", hint: "16", value: "0", only: "copy" },
      { name: "chunk", label: "chunk", flag: "--chunk", hint: "draw one of so many columns", value: "8", only: "copy" },
    ],
    examples: {
      "a tile to swizzled rows": {},
      "the same by cp.async": { async: "on" },
      "rows to columns: why the vectors are narrow": { destination: "(16, 32) : (1, 16)", chunk: "" },
      "shared memory to a fragment": {
        layout: "(16, 16) : (16, 1), swizzle<base = 3, bits = 1, shift = 3>",
        destination: "#tile.fragment<mma.m16n8k16.a>",
        from: "shared", to: "local", chunk: "",
      },
      "a transpose in global memory": {
        layout: "(64, 64) : (64, 1)", destination: "(64, 64) : (1, 64)", to: "global", threads: "128", chunk: "",
      },
    },
  },
  convert: {
    title: "Convert",
    commands: ["convert"],
    fields: [
      { name: "layout", label: "layout", hint: LAYOUT, value: "(8, 64) : (64, 1), Sw<3, 3, 3>" },
      { name: "shape", label: "shape", flag: "--shape", hint: "such as 16x16; needed for fragments" },
      { name: "bits", label: "element bits", flag: "--element-bits", hint: "16" },
      { name: "to", label: "to", flag: "--to", options: ["cute", "cute-ir", "triton", "tile"] },
    ],
    examples: { "to CuTe": {}, "to Triton": { to: "triton" }, "a fragment to Triton": { layout: "#tile.fragment<mma.m16n8k16.b>", shape: "16x8", to: "triton" } },
  },
  algebra: {
    title: "Algebra",
    commands: [],
    fields: [
      { name: "operation", label: "operation", options: ["compose", "divide", "complement", "inverse", "compare"], command: true },
      { name: "layout", label: "A", hint: "a layout in memory", value: "(6,2):(8,2)" },
      { name: "other", label: "B", hint: "the other layout, or the size of a complement", value: "(4,3):(3,1)" },
    ],
    examples: {
      "compose": {},
      "divide": { operation: "divide", layout: "(4,2,3):(2,1,8)", other: "4:2" },
      "complement": { operation: "complement", layout: "(2,2):(1,6)", other: "24" },
      "inverse": { operation: "inverse", layout: "(4,8):(8,1)", other: "" },
      "compare": { operation: "compare", layout: "(4, 8) : (8, 1)", other: "((2,2),8):((8,16),1)" },
    },
  },
};

const byId = (id) => document.getElementById(id);

// The module, compiled once; an instance that has trapped is replaced.
let compiled = null;
let instance = null;

async function start() {
  const text = byId("module").textContent.trim();
  if (!text) throw new Error("this page has no module: `cargo xtask web` writes one that has");
  compiled = await WebAssembly.compile(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  instance = await WebAssembly.instantiate(compiled, {});
}

// What tile-layout answers to some arguments.
function answer(words) {
  const question = new TextEncoder().encode(words.join("\0"));
  try {
    const { memory, tile_layout_question, tile_layout_answer, tile_layout_text, tile_layout_text_bytes } = instance.exports;
    // A call may move the memory, so the buffer is named after it.
    const at = tile_layout_question(question.length);
    new Uint8Array(memory.buffer, at, question.length).set(question);
    const status = tile_layout_answer();
    const text = new Uint8Array(memory.buffer, tile_layout_text(), tile_layout_text_bytes());
    return { status, text: new TextDecoder().decode(text) };
  } catch (error) {
    instance = new WebAssembly.Instance(compiled, {});
    return { status: 2, text: `error: the module failed (${error.message}); please report these arguments: ${words.join(" ")}\n` };
  }
}

let mode = "layout";

function values() {
  return Object.fromEntries(MODES[mode].fields.map((field) => {
    const input = byId("form").elements[field.name];
    return [field.name, field.check ? (input.checked ? "on" : "") : input.value.trim()];
  }));
}

// The command lines of the form: one for each command of the mode.
function commands() {
  const { fields, commands } = MODES[mode];
  const given = values();
  const named = fields.filter((field) => field.command).map((field) => given[field.name]);
  return [...commands, ...named].map((command) => {
    const words = [command];
    for (const field of fields) {
      const value = given[field.name];
      if (field.command || !value || (field.only && field.only !== command)) continue;
      words.push(...(field.check ? [field.flag] : field.flag ? [`${field.flag}=${value}`] : [value]));
    }
    return words;
  });
}

const quoted = (word) => /^[\w=.,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

// Shows what the form asks for, and returns it.
function show() {
  const lines = commands();
  byId("command").textContent = lines.map((words) => ["tile-layout", ...words].map(quoted).join(" ")).join(" ; ");
  history.replaceState(null, "", `#${new URLSearchParams({ mode, ...values() })}`);
  const draws = (words) => MODES[mode].picture && words[0] !== "plan";
  const answers = lines.map((words) => ({ words, drawn: draws(words), ...answer(draws(words) ? [...words, "--format=svg"] : words) }));
  const picture = answers.find((one) => one.drawn && one.status === 0);
  byId("picture").innerHTML = picture ? picture.text : "";
  byId("picture").hidden = !picture;
  const said = answers.filter((one) => one !== picture);
  byId("text").textContent = said.map((one) => one.text).join("\n");
  byId("text").className = said.some((one) => one.status === 2) ? "refused" : "";
  return answers;
}

// The cells that belong to one: on the other side of a copy, else those that are held where it is.
function related(cells, cell, text) {
  if (mode === "copy") {
    const half = cells.length / 2;
    const at = cells.indexOf(cell);
    return [cell, cells[at < half ? at + half : at - half]];
  }
  const fill = cell.getAttribute("fill");
  return cells.filter((one) => one.getAttribute("fill") === fill && text(one).split(":")[0] === text(cell).split(":")[0]);
}

// Outlines the cells that belong to the one below the pointer, and says what they are.
function point(event) {
  const cells = [...byId("picture").querySelectorAll("rect")];
  cells.forEach((cell) => cell.classList.remove("near"));
  byId("state").textContent = "\u00a0";
  const cell = event.target.closest && (event.target.tagName === "rect" ? event.target : event.target.previousElementSibling);
  if (!cell || cell.tagName !== "rect") return;
  const text = (one) => one.nextElementSibling.textContent;
  const near = related(cells, cell, text);
  near.forEach((one) => one.classList.add("near"));
  byId("state").textContent = mode === "copy"
    ? near.map(text).join(cells.indexOf(cell) < cells.length / 2 ? " → " : " ← ")
    : `${text(cell)}: ${near.length} of ${cells.length} cells`;
}

// The form of a mode, with some values.
function choose(name, given = {}) {
  mode = Object.hasOwn(MODES, name) ? name : "layout";
  for (const button of byId("modes").children) button.setAttribute("aria-pressed", String(button.value === mode));
  const form = byId("form");
  form.replaceChildren();
  const examples = document.createElement("select");
  examples.append(new Option("examples", ""), ...Object.keys(MODES[mode].examples).map((title) => new Option(title)));
  examples.className = "wide";
  examples.onchange = () => choose(mode, MODES[mode].examples[examples.value]);
  form.append(document.createElement("span"), examples);
  for (const field of MODES[mode].fields) {
    const label = document.createElement("label");
    label.textContent = field.label;
    label.htmlFor = field.name;
    const input = document.createElement(field.options ? "select" : "input");
    if (field.options) input.append(...field.options.map((word) => new Option(word, word)));
    const value = given[field.name] ?? field.value ?? (field.options ? field.options[0] : "");
    if (field.check) {
      input.type = "checkbox";
      input.checked = value === "on";
    } else {
      input.value = value;
    }
    input.name = input.id = field.name;
    input.placeholder = field.hint || "";
    if (!field.flag && !field.options || field.flag === "--lanes") input.className = "wide";
    input.oninput = show;
    form.append(label, input);
  }
  return show();
}

// What a test asks for: the answers to the forms that it lists, as they are shown.
async function report() {
  const cases = await (await fetch("cases.json")).json();
  const results = cases.map(({ mode, given }) => {
    const answers = choose(mode, given);
    const cells = byId("picture").querySelectorAll("rect").length;
    const drawn = answers.map(({ words }) => answer(words));
    return { mode, cells, shown: byId("text").textContent, answers: answers.map(({ words }, at) => ({ words, ...drawn[at] })) };
  });
  await fetch("report", { method: "POST", body: JSON.stringify({ results }) });
}

async function main() {
  for (const [name, { title }] of Object.entries(MODES)) {
    const button = document.createElement("button");
    button.textContent = title;
    button.value = name;
    button.onclick = () => choose(name);
    byId("modes").append(button);
  }
  byId("form").onsubmit = (event) => event.preventDefault();
  byId("picture").onmousemove = point;
  await start();
  const { mode, ...given } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  choose(mode, given);
  if (new URLSearchParams(location.search).has("report")) await report();
}

main().catch((error) => {
  byId("text").className = "refused";
  byId("text").textContent = error.message;
});
