// Loaded with `node --import` before the service. At SIGUSR2, moves this process's clock by the number
// of milliseconds in the file COUNTERSIGN_TEST_CLOCK. The service reads the clock only through
// `Date.now` (lib/clock.ts). Timers and `performance.now` stay unaffected, as when an operator sets
// the clock.
import { readFileSync } from "node:fs";

const now = Date.now;
let offset = 0;
Date.now = () => now() + offset;

process.on("SIGUSR2", () => {
  offset = Number(readFileSync(process.env.COUNTERSIGN_TEST_CLOCK ?? "", "utf8"));
});
