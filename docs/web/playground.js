// The page of kernels: examples that `cargo xtask web` has compiled, and tile-run as WebAssembly, which executes their PTX.

"use strict";

const byId = (id) => document.getElementById(id);

// What runs in a worker, so that the page answers meanwhile and a run can be stopped. The first message is the module.
function work() {
  let module;
  self.onmessage = ({ data }) => {
    if (!module) return void (module = data);
    let text = "";
    try {
      const status = runWasi(module, data.words, data.files, (more) => (text += more));
      self.postMessage({ status, text });
    } catch (error) {
      self.postMessage({ status: 2, text: `${text}error: the simulator failed (${error.message}); please report this\n` });
    }
  };
}

let examples = [];
let compiled = null;
let worker = null;
let finish = null;

// Words of a command line; quotes keep blanks.
function split(command) {
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

// Executes a file with a command line of tile-run.
function execute(name, ptx, command) {
  const words = split(command);
  if (words[0] !== "tile-run") return { status: 2, text: `error: got \`${words[0]}\`, expected tile-run\n` };
  if (!worker) {
    const script = `${byId("wasi").textContent}\n(${work})();`;
    worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    worker.postMessage(compiled);
  }
  return new Promise((resolve) => {
    finish = resolve;
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage({ words, files: { [name]: ptx } });
  });
}

function stop() {
  worker?.terminate();
  worker = null;
  finish?.({ status: 2, text: "stopped\n" });
}

async function run() {
  const example = examples[byId("example").selectedIndex];
  byId("run").disabled = true;
  byId("stop").disabled = false;
  byId("verdict").textContent = "executing";
  byId("verdict").className = "";
  const { status, text } = await execute(example.name, byId("ptx").value, byId("command").value);
  byId("output").textContent = text;
  byId("verdict").textContent = ["all is as expected", "the kernel did something wrong", "nothing was run"][status] ?? `exit status ${status}`;
  byId("verdict").className = status === 0 ? "good" : "refused";
  byId("run").disabled = false;
  byId("stop").disabled = true;
}

function choose() {
  const example = examples[byId("example").selectedIndex];
  byId("source").textContent = example.source;
  byId("written").hidden = !example.source;
  byId("remarks").textContent = example.remarks;
  byId("ptx").value = example.ptx;
  byId("command").value = `tile-run ${example.words.join(" ")}`;
  byId("output").textContent = byId("verdict").textContent = "";
  location.hash = example.name;
}

// What a test asks for: each example as it is.
async function report() {
  const results = [];
  for (const { name, ptx, words } of examples) {
    results.push({ name, ptx, words, ...(await execute(name, ptx, `tile-run ${words.join(" ")}`)) });
  }
  await fetch("report", { method: "POST", body: JSON.stringify({ results }) });
}

async function main() {
  const text = byId("module").textContent.trim();
  if (!text) throw new Error("this page has no module: `cargo xtask web` writes one that has");
  examples = JSON.parse(byId("examples").textContent);
  compiled = await WebAssembly.compile(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  byId("example").append(...examples.map(({ name }) => new Option(name, name)));
  const wanted = examples.findIndex(({ name }) => name === location.hash.slice(1));
  byId("example").selectedIndex = Math.max(wanted, 0);
  byId("example").onchange = choose;
  byId("run").onclick = run;
  byId("stop").onclick = stop;
  choose();
  if (new URLSearchParams(location.search).has("report")) await report();
}

main().catch((error) => {
  byId("verdict").className = "refused";
  byId("verdict").textContent = error.message;
});
