// How V8 runs what soon ends: the operator's commands and the tests. Imported first.
import "./wasm.mjs";
import { setFlagsFromString } from "node:v8";

// Only what runs far longer than starting takes is worth optimizing: a command needs a quarter less.
setFlagsFromString("--interrupt-budget=2000000");
