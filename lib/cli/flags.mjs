// How V8 runs what soon ends: the operator's commands and the tests. Imported first.
import { setFlagsFromString } from "node:v8";

// Prisma's query compiler is WebAssembly. At the first query V8 would spend half a second of a processor on optimizing what then
// runs a few times; only the service, which goes on, gets that back.
setFlagsFromString("--wasm-tiering-budget=100000000");
// Of our own code, too, only what runs far longer than starting takes is worth optimizing: a command needs a quarter less.
setFlagsFromString("--interrupt-budget=2000000");
