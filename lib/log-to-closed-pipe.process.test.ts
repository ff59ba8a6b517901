import { spawn } from "node:child_process";
import { expect, test } from "vitest";

test("keeps running after the log's reader closes the pipe", async () => {
  const program = `
    const { log, logConsole } = await import("./lib/log.ts");
    logConsole();
    // Simulates Next, which also logs uncaught exceptions. A failed write must not cause another
    // log line.
    let uncaught = 0;
    process.on("uncaughtException", (error) => { if (uncaught++ < 100) console.error(error); });
    process.stdin.once("data", async () => {
      log.info("nobody reads this");
      for (let turn = 0; turn < 1000; turn++) await new Promise(setImmediate);
      process.stdout.write(String(uncaught));
      process.exit();
    });
    process.stdout.write("ready ");
  `;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", program]);
  let said = "";
  let toldOnce = false;
  child.stdout.on("data", (piece) => {
    said += piece;
    if (toldOnce || !said.includes("ready")) return;
    toldOnce = true;
    child.stderr.destroy();
    child.stderr.once("close", () => child.stdin.write("go\n"));
  });
  await new Promise((resolve) => child.on("exit", resolve));
  expect(said).toBe("ready 0");
});
