#!/usr/bin/env node
// The `countersign` program on the PATH. Runs the operator's commands from any folder.
process.env.INIT_CWD = process.cwd();
process.env.COUNTERSIGN_PROGRAM = "countersign";
process.argv.splice(2, 0, "lib/cli/main.ts");
await import("./run-typescript.mjs");
