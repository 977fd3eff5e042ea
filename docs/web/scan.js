// Runs the kernels of kernels.js on WebGPU, checks their results, and draws a chart of their speed.
"use strict";

const TILE = 4096;
const RUNS = 5;

// For each case: bytes per tile in the workspace, the kernels in execution order, and whether the sums must be right.
const CASES = [
  { name: "decoupled_fallback", words: 16, entries: ["scan"], right: true },
  { name: "every other sum is kept back", kernel: "skip_post", words: 16, entries: ["scan"], right: true },
  { name: "every eighth tile is held", kernel: "hold", words: 16, entries: ["scan"], right: true },
  { name: "fallback, in reverse", kernel: "reverse", words: 16, entries: ["scan"], right: true },
  { name: "look-back alone, in reverse", kernel: "lookback", words: 16, entries: ["scan"], right: false },
  { name: "reduce_then_scan", words: 8, entries: ["scan_reduce", "scan_prefix", "scan"], right: true },
];

class Scanner {
  constructor({ device, name }) {
    this.name = name;
    this.device = device;
    const use = (binding, type) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } });
    const entries = [use(0, "read-only-storage"), use(1, "storage"), use(2, "storage"), use(3, "uniform")];
    this.layout = device.createBindGroupLayout({ entries });
  }

  buffer(size, usage) {
    return this.device.createBuffer({ size: Math.ceil(size / 16) * 16, usage: usage | GPUBufferUsage.COPY_DST });
  }

  async pipelines(kernel) {
    const module = await compile(this.device, kernel.source);
    const layout = this.device.createPipelineLayout({ bindGroupLayouts: [this.layout] });
    const make = (entryPoint) => this.device.createComputePipelineAsync({ layout, compute: { module, entryPoint } });
    return Promise.all(kernel.entries.map(make));
  }

  // Runs a case a few times on one workspace, which is zeroed only before the first launch.
  async run(one, input) {
    const kernel = { source: KERNELS[one.kernel ?? one.name], entries: one.entries };
    const pipelines = await this.pipelines(kernel);
    const tiles = Math.ceil(input.length / TILE);
    const { STORAGE, COPY_SRC, MAP_READ, UNIFORM } = GPUBufferUsage;
    const source = this.buffer(input.byteLength, STORAGE);
    const dest = this.buffer(input.byteLength, STORAGE | COPY_SRC);
    const workspace = this.buffer(256 + one.words * tiles, STORAGE | COPY_SRC);
    const parameters = this.buffer(32, UNIFORM);
    const back = this.buffer(input.byteLength + 256, MAP_READ);
    const buffers = [source, dest, workspace, parameters];
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const group = this.device.createBindGroup({ layout: this.layout, entries });
    const wide = Math.min(tiles, 65535);
    const times = [];
    this.device.queue.writeBuffer(source, 0, input);
    for (let epoch = 1; epoch <= RUNS; epoch++) {
      this.device.queue.writeBuffer(parameters, 0, new Uint32Array([input.length, 0, epoch, 0, 0, 0, 0, 0]));
      await this.device.queue.onSubmittedWorkDone();
      const start = performance.now();
      const encoder = this.device.createCommandEncoder();
      for (const pipeline of pipelines) {
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(wide, Math.ceil(tiles / wide));
        pass.end();
      }
      this.device.queue.submit([encoder.finish()]);
      await this.device.queue.onSubmittedWorkDone();
      times.push(performance.now() - start);
    }
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(workspace, 0, back, 0, 256);
    encoder.copyBufferToBuffer(dest, 0, back, 256, input.byteLength);
    this.device.queue.submit([encoder.finish()]);
    await back.mapAsync(GPUMapMode.READ);
    const words = new Uint32Array(back.getMappedRange().slice(0));
    [...buffers, back].forEach((buffer) => buffer.destroy());
    times.sort((a, b) => a - b);
    return { words, milliseconds: times[RUNS >> 1] };
  }
}

// The index of the first element that differs from the result of a loop; -1 if none does.
function firstMismatch(words, input) {
  let sum = 0;
  for (let index = 0; index < input.length; index++) {
    sum = (sum + input[index]) | 0;
    if ((words[64 + index] | 0) !== sum) {
      return index;
    }
  }
  return -1;
}

async function measure(scanner, one, size) {
  const input = new Int32Array(size);
  let state = 12345;
  for (let index = 0; index < size; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    input[index] = state >> 8;
  }
  const { words, milliseconds } = await scanner.run(one, input);
  const [polls, looked, fallbacks, published] = [4, 6, 8, 10].map((word) => Math.round(words[word] / RUNS));
  const wrong = firstMismatch(words, input);
  const gaveUp = words[2] !== 0;
  const rate = (2 * input.byteLength) / milliseconds / 1e6;
  return { name: one.name, size, wrong, gaveUp, polls, looked, fallbacks, published, milliseconds, rate, right: one.right };
}

// Whether a result is as expected: right, or, where correctness is not guaranteed, right or reported as given up.
function isGood(result) {
  return result.right ? result.wrong < 0 && !result.gaveUp : result.wrong < 0 || result.gaveUp;
}

function show(results) {
  const table = document.getElementById("table");
  const head = ["kernel", "sums", "ms", "GB/s", "polls", "fallbacks", "published"];
  table.replaceChildren(row(head, "th"));
  for (const result of results) {
    const sums = result.gaveUp ? "gave up" : result.wrong < 0 ? "right" : `wrong at ${result.wrong}`;
    const numbers = [result.milliseconds.toFixed(2), result.rate.toFixed(2), result.polls, result.fallbacks, result.published];
    const line = row([result.name, sums, ...numbers], "td");
    line.className = isGood(result) ? "" : "wrong";
    table.append(line);
  }
  draw(results);
}

function draw(results) {
  const canvas = document.getElementById("chart");
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  const most = Math.max(...results.map((result) => result.rate), 0.001);
  const high = canvas.height / results.length;
  context.font = "14px system-ui, sans-serif";
  results.forEach((result, index) => {
    context.fillStyle = isGood(result) ? "#4a7fb5" : "#b00";
    context.fillRect(240, index * high + 4, ((canvas.width - 420) * result.rate) / most, high - 8);
    context.fillStyle = "#222";
    context.fillText(result.name, 0, index * high + high / 2 + 4);
    const text = `${result.rate.toFixed(2)} GB/s, ${result.fallbacks} fallbacks`;
    context.fillText(text, 248 + ((canvas.width - 420) * result.rate) / most, index * high + high / 2 + 4);
  });
}

async function runAll(sizes) {
  const state = document.getElementById("state");
  const results = [];
  try {
    const scanner = new Scanner(await openGpu());
    for (const size of sizes) {
      for (const one of CASES) {
        state.textContent = `${scanner.name}: ${one.name}, ${size} elements …`;
        results.push(await measure(scanner, one, size));
        show(results.filter((result) => result.size === size));
      }
    }
    state.textContent = scanner.name;
    return { device: scanner.name, results, good: results.every(isGood) };
  } catch (error) {
    state.textContent = String(error);
    return { error: String(error), results, good: false };
  }
}

const size = document.getElementById("size");
for (const power of [16, 18, 20, 22, 24]) {
  size.add(new Option(`2^${power}`, 2 ** power, false, power === 20));
}
document.getElementById("run").addEventListener("click", () => runAll([Number(size.value)]));

// Tests choose the sizes to run, and receive the results.
const wanted = new URLSearchParams(location.search).get("sizes");
if (wanted) {
  runAll(wanted.split(",").map(Number)).then(post);
}
