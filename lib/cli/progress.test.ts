import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { phases } from "./prepare-checkout.mjs";
import { progress } from "./progress.mjs";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns a stream that records its output. */
function anOut() {
  let written = "";
  return { out: { write: (text: string) => (written += text) }, written: () => written };
}

test("prints the phase and elapsed time every ten seconds", async () => {
  const { out, written } = anOut();
  let end = () => {};
  const done = progress(out).step("Building", (_tell, phase) => {
    phase("compiling");
    return new Promise<void>((resolve) => (end = resolve));
  });
  await vi.advanceTimersByTimeAsync(9000);
  expect(written()).toBe("Building … ");
  await vi.advanceTimersByTimeAsync(12_000);
  end();
  await done;
  await vi.advanceTimersByTimeAsync(100_000);
  expect(written()).toBe("Building … \n  compiling, 10 s\n  compiling, 20 s\nBuilding … 21.0 s\n");
});

test("prints the output of a step before the step's duration", async () => {
  const { out, written } = anOut();
  await progress(out).step("Building", async (tell) => tell("Waiting for another build"));
  expect(written()).toBe("Building … \n  Waiting for another build\nBuilding … 0.0 s\n");
});

test("prints only the name and the duration of a short step", async () => {
  const { out, written } = anOut();
  await progress(out).step("Bundling", async () => {});
  expect(written()).toBe("Bundling … 0.0 s\n");
});

test("stops the progress output when a step fails", async () => {
  const { out, written } = anOut();
  await expect(progress(out).step("Bundling", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await vi.advanceTimersByTimeAsync(100_000);
  expect(written()).toBe("Bundling … 0.0 s\n");
});

test("recognizes the build phases that Next prints", () => {
  // Searches the installed version of Next. A phase that Next no longer prints would never be
  // shown.
  const files = readdirSync("node_modules/next/dist/build", { recursive: true, encoding: "utf8" });
  const code = files
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(`node_modules/next/dist/build/${name}`, "utf8"))
    .join("\n");
  for (const [pattern] of phases) expect([pattern, pattern.test(code)]).toEqual([pattern, true]);
});
