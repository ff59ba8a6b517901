import { setFlagsFromString } from "node:v8";

// Turns off optimization of WebAssembly. Prisma's query compiler is WebAssembly, and plans each
// type of query once. Optimizing it would cost a third of a second of CPU time and 50 MiB of memory
// permanently, without a measurable speedup.
setFlagsFromString("--wasm-tiering-budget=100000000");
