// For NODE_OPTIONS=--require: once a second the process collects its garbage and writes to the file at MEMORY_FILE how many bytes
// it holds. (What it has resident is more: what was given back is not taken from it at once.)
const { renameSync, writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const { isMainThread } = require("node:worker_threads");
const { runInNewContext } = require("node:vm");

const file = process.env.MEMORY_FILE;
if (file && isMainThread) {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  setInterval(() => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    const part = `${file}.${process.pid}`;
    writeFileSync(part, String(heapUsed + external));
    renameSync(part, file);
  }, 1000).unref();
}
