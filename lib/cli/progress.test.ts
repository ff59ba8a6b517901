import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { phases } from "./prepare.mjs";
import { progress } from "./progress.mjs";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream that records its output, and what a terminal would show of it. */
function anOut(isTTY: boolean, columns = 80) {
  let written = "";
  const out = { isTTY, columns, write: (text: string) => Boolean((written += text)) } as unknown as NodeJS.WriteStream;
  const shown = () => written.split("\n").map((line) => line.split("\r").at(-1)?.replaceAll("\x1b[K", ""));
  return { out, written: () => written, shown };
}

/** A step that ends on request. */
function aStep(out: NodeJS.WriteStream) {
  let end = () => {};
  let names = { tell: (_: string) => {}, phase: (_: string) => {} };
  const done = progress(out).step("Building", (tell, phase) => {
    names = { tell, phase };
    return new Promise<void>((resolve) => (end = resolve));
  });
  const finish = () => {
    end();
    return done;
  };
  return { tell: (line: string) => names.tell(line), phase: (name: string) => names.phase(name), end: finish };
}

test("redraws its line on a terminal with the elapsed time and the phase", async () => {
  const { out, shown, written } = anOut(true);
  const { phase, end } = aStep(out);
  expect(shown()).toEqual(["Building … "]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(shown()).toEqual(["Building … 2 s"]);
  phase("compiling");
  await vi.advanceTimersByTimeAsync(63_000);
  expect(shown()).toEqual(["Building … compiling, 65 s"]);
  await end();
  expect(shown()).toEqual(["Building … 65.0 s", ""]);
  const last = written();
  await vi.advanceTimersByTimeAsync(5000);
  expect(written()).toBe(last);
});

test("keeps its line below other output on a terminal", async () => {
  const { out, shown } = anOut(true);
  const { tell, end } = aStep(out);
  tell("Waiting for another copy");
  expect(shown()).toEqual(["  Waiting for another copy", ""]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(shown()).toEqual(["  Waiting for another copy", "Building … 2 s"]);
  tell("Done");
  await vi.advanceTimersByTimeAsync(1000);
  await end();
  expect(shown()).toEqual(["  Waiting for another copy", "  Done", "Building … 3.0 s", ""]);
});

test("never overwrites a line that other code has begun", async () => {
  const { out, shown } = anOut(true);
  const { end } = aStep(out);
  out.write("half a line");
  await vi.advanceTimersByTimeAsync(2000);
  expect(shown()).toEqual(["half a line"]);
  await end();
  expect(shown()).toEqual(["half a line", "Building … 2.0 s", ""]);
});

test("never writes a line that would wrap on a narrow terminal", async () => {
  for (const [columns, length] of [
    [20, 19],
    [0, "Building … generating pages, 1 s".length],
  ] as const) {
    const { out, shown } = anOut(true, columns);
    const { phase, end } = aStep(out);
    phase("generating pages");
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown()[0]).toHaveLength(length);
    await end();
  }
});

test("writes a plain line every 30 seconds without a terminal", async () => {
  const { out, written } = anOut(false);
  const { phase, end } = aStep(out);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(written()).toBe("Building … ");
  phase("compiling");
  await vi.advanceTimersByTimeAsync(31_000);
  await end();
  expect(written()).toBe("Building … \n  compiling, 30 s\n  compiling, 60 s\nBuilding … 60.0 s\n");
});

test("shows only a short step's name and time", async () => {
  const { out, written } = anOut(false);
  await progress(out).step("Bundling", async () => {});
  expect(written()).toBe("Bundling … 0.0 s\n");
});

test("stops and restores the stream when the work fails", async () => {
  const { out, written } = anOut(false);
  const { write } = out;
  await expect(progress(out).step("Bundling", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(out.write).toBe(write);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(written()).toBe("Bundling … 0.0 s\n");
});

test("recognizes the phases that Next prints", () => {
  // From the installed version, because a phase that it no longer prints would never be shown.
  const files = readdirSync("node_modules/next/dist/build", { recursive: true, encoding: "utf8" });
  const code = files
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(`node_modules/next/dist/build/${name}`, "utf8"))
    .join("\n");
  for (const [pattern] of phases) expect([pattern, pattern.test(code)]).toEqual([pattern, true]);
});
