import { setFlagsFromString } from "node:v8";

// Prisma's query compiler is WebAssembly, and plans each kind of query once. Optimizing it would take V8 a third of a second of a
// processor and 50 MiB of memory that never come back, and make nothing faster that can be measured.
setFlagsFromString("--wasm-tiering-budget=100000000");
