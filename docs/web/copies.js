// Runs the kernels of jobs.js on WebGPU, and compares the memory that they leave with the simulator's.
"use strict";

// The value of each byte of a buffer before a kernel writes it.
const UNWRITTEN = 0xcd;

function bytes(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

// The bindings that the WGSL text declares.
function layout(device, source) {
  const types = { "storage, read_write": "storage", storage: "read-only-storage", uniform: "uniform" };
  const declared = source.matchAll(/@binding\((\d+)\)\s*var<([\w, ]+)>/g);
  const entry = ([, binding, space]) => ({
    binding: Number(binding),
    visibility: GPUShaderStage.COMPUTE,
    buffer: { type: types[space] },
  });
  return device.createBindGroupLayout({ entries: [...declared].map(entry) });
}

class Launch {
  constructor(device, job) {
    this.device = device;
    this.job = job;
    this.layout = layout(device, job.source);
    const { STORAGE, COPY_SRC, UNIFORM } = GPUBufferUsage;
    this.buffers = job.buffers.map((one) => this.buffer(one.size, STORAGE | COPY_SRC, this.contents(one)));
    if (job.numbers.length > 0) {
      const words = new Uint32Array(Math.ceil(job.numbers.length / 8) * 8);
      words.set(job.numbers);
      this.buffers.push(this.buffer(words.byteLength, UNIFORM, new Uint8Array(words.buffer)));
    }
  }

  contents(one) {
    if (one.input !== null) {
      return bytes(one.input);
    }
    return new Uint8Array(one.size).fill(one.expected === null ? 0 : UNWRITTEN);
  }

  // Creates a buffer; its size is rounded up to a multiple of 16 bytes.
  buffer(size, usage, contents) {
    const padded = new Uint8Array(Math.ceil(size / 16) * 16);
    padded.set(contents);
    const buffer = this.device.createBuffer({ size: padded.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
    this.device.queue.writeBuffer(buffer, 0, padded);
    return buffer;
  }

  async run() {
    const module = await compile(this.device, this.job.source);
    const layout = this.device.createPipelineLayout({ bindGroupLayouts: [this.layout] });
    const make = (entryPoint) => this.device.createComputePipelineAsync({ layout, compute: { module, entryPoint } });
    const pipelines = await Promise.all(this.job.entries.map(make));
    const entries = this.buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const group = this.device.createBindGroup({ layout: this.layout, entries });
    const start = performance.now();
    const encoder = this.device.createCommandEncoder();
    for (const pipeline of pipelines) {
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(...this.job.grid);
      pass.end();
    }
    this.device.queue.submit([encoder.finish()]);
    await this.device.queue.onSubmittedWorkDone();
    return performance.now() - start;
  }

  async read(index) {
    const { size } = this.buffers[index];
    const back = this.device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.buffers[index], 0, back, 0, size);
    this.device.queue.submit([encoder.finish()]);
    await back.mapAsync(GPUMapMode.READ);
    const found = new Uint8Array(back.getMappedRange().slice(0));
    back.destroy();
    return found;
  }

  // The index of the first byte that differs from the simulator's buffer; -1 if none does.
  async differs(index) {
    const one = this.job.buffers[index];
    const wanted = one.expected ?? one.input;
    if (wanted === null) {
      return -1;
    }
    const found = await this.read(index);
    return bytes(wanted).findIndex((byte, place) => byte !== found[place]);
  }
}

async function measure(device, job) {
  device.pushErrorScope("validation");
  const launch = new Launch(device, job);
  const milliseconds = await launch.run();
  const wrong = [];
  for (let index = 0; index < job.buffers.length; index++) {
    const place = await launch.differs(index);
    if (place >= 0) {
      wrong.push(`argument ${job.buffers[index].argument} differs from byte ${place} on`);
    }
  }
  const refused = await device.popErrorScope();
  if (refused) {
    wrong.push(refused.message);
  }
  launch.buffers.forEach((buffer) => buffer.destroy());
  return { name: job.name, milliseconds, wrong };
}

function show(results) {
  const table = document.getElementById("table");
  table.replaceChildren(row(["kernel", "bits", "ms"], "th"));
  for (const { name, wrong, milliseconds } of results) {
    const line = row([name, wrong.join(", ") || "the simulator's", milliseconds.toFixed(2)], "td");
    line.className = wrong.length > 0 ? "wrong" : "";
    table.append(line);
  }
}

async function runAll(jobs) {
  const state = document.getElementById("state");
  const results = [];
  try {
    const { device, name } = await openGpu();
    for (const job of jobs) {
      state.textContent = `${name}: ${job.name} …`;
      const failed = (error) => ({ name: job.name, milliseconds: 0, wrong: [String(error)] });
      results.push(await measure(device, job).catch(failed));
      show(results);
    }
    state.textContent = name;
    return { device: name, results, good: results.every(({ wrong }) => wrong.length === 0) };
  } catch (error) {
    state.textContent = String(error);
    return { error: String(error), results, good: false };
  }
}

document.getElementById("run").addEventListener("click", () => runAll(JOBS));

if (new URLSearchParams(location.search).has("report")) {
  runAll(JOBS).then(post);
}
