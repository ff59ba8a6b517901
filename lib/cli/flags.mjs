// How V8 runs us. Imported first by whatever starts a process of ours.
import { setFlagsFromString } from "node:v8";

// Prisma's query compiler is WebAssembly, and its plans are kept: V8 would spend half a second of a processor on optimizing, at
// the first query, what runs a few times. What stays busy is still optimized.
setFlagsFromString("--wasm-tiering-budget=100000000");
