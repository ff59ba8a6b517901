// For NODE_OPTIONS=--require: collects garbage once a second, and writes the heap's size in bytes
// to the file in MEMORY_FILE. (Resident memory is larger, because freed memory is not returned
// immediately.)
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
