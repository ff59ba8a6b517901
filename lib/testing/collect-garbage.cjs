// For NODE_OPTIONS=--require, so that what a process has resident is what it holds: its garbage is collected all the time.
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");

setFlagsFromString("--expose-gc");
setInterval(runInNewContext("gc"), 1000).unref();
