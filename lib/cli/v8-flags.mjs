// V8 flags for short-lived programs: the operator's commands and the tests. Import this first.
import "./wasm-flags.mjs";
import { setFlagsFromString } from "node:v8";

// Optimizes only code that runs far longer than startup takes, so that commands take a quarter less
// time.
setFlagsFromString("--interrupt-budget=2000000");
