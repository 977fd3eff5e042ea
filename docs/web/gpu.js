// Opens a WebGPU device; helpers shared by the pages.
"use strict";

async function openGpu() {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) {
    throw new Error("this browser has no WebGPU, or no adapter for it");
  }
  const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  const device = await adapter.requestDevice({ requiredLimits: { maxStorageBufferBindingSize, maxBufferSize } });
  const { vendor, architecture } = adapter.info;
  return { device, name: `${vendor} ${architecture}`.trim() };
}

// Compiles WGSL to a shader module; throws an error with the line that the compiler rejects.
async function compile(device, code) {
  const module = device.createShaderModule({ code });
  const problems = (await module.getCompilationInfo()).messages.filter((message) => message.type === "error");
  if (problems.length > 0) {
    throw new Error(`line ${problems[0].lineNum}: ${problems[0].message}`);
  }
  return module;
}

function row(cells, tag) {
  const line = document.createElement("tr");
  for (const text of cells) {
    const cell = document.createElement(tag);
    cell.textContent = text;
    line.append(cell);
  }
  return line;
}

// Reports the results to the tests.
function post(report) {
  return fetch("/report", { method: "POST", body: JSON.stringify(report) });
}
