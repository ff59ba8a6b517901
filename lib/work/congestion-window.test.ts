import { expect, test } from "vitest";
import { congestionWindows, type Permit } from "./congestion-window";

let time = 0;
const bounds = { first: 2, max: 32, forget: 60_000, places: 3 };
const windowsOf = () => congestionWindows(bounds, () => time);
type Windows = ReturnType<typeof windowsOf>;
const sizeOf = (windows: Windows, place: string) => windows.sizes().find((each) => each.place === place)?.size ?? 2;

/** Fills the window, with a response to every request. */
function round(windows: Windows, place: string, ...outcomes: boolean[]) {
  const passes = Array.from({ length: sizeOf(windows, place) }, () => windows.acquire(place));
  for (const [at, pass] of passes.entries()) {
    pass.settle(outcomes[at] ?? true);
    pass.release();
  }
}

test("increases a window while the destination responds", () => {
  const windows = windowsOf();
  const seen: number[] = [];
  for (let nth = 0; nth < 20; nth++) {
    round(windows, "a");
    seen.push(sizeOf(windows, "a"));
  }
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(32);
  expect(sizeOf(windows, "b")).toBe(2);
});

test("does not enlarge a window that is not fully used", () => {
  const windows = windowsOf();
  for (let nth = 0; nth < 100; nth++) {
    const pass = windows.acquire("a");
    pass.settle(true);
    pass.release();
  }
  expect(windows.sizes()).toEqual([]);
});

test("halves a window only once per round of failures", () => {
  const windows = windowsOf();
  for (let nth = 0; nth < 20; nth++) round(windows, "a");
  const failures = Array<boolean>(32).fill(false);
  round(windows, "a", ...failures);
  expect(sizeOf(windows, "a")).toBe(16);
  round(windows, "a");
  const next = sizeOf(windows, "a");
  expect(next).toBeGreaterThanOrEqual(16);
  expect(next).toBeLessThanOrEqual(17);
  for (const size of [8, 4, 2, 1, 1]) {
    round(windows, "a", ...failures);
    expect(sizeOf(windows, "a")).toBe(size);
  }
  round(windows, "a");
  expect(sizeOf(windows, "a")).toBe(2);
});

test("excludes finished requests from the load of a window", () => {
  const windows = windowsOf();
  const passes = [windows.acquire("a"), windows.acquire("a")] as [Permit, Permit];
  expect(windows.sizes()).toEqual([{ place: "a", size: 2, underWay: 2 }]);
  passes[0].settle(false);
  expect(windows.sizes()).toEqual([{ place: "a", size: 1, underWay: 1 }]);
  passes[0].release();
  passes[1].release();
  expect(windows.sizes()).toEqual([{ place: "a", size: 1, underWay: 0 }]);
  round(windows, "a");
  expect(windows.sizes()).toEqual([]);
});

test("removes windows of idle destinations", () => {
  const windows = windowsOf();
  const known = () => windows.sizes().map(({ place }) => place);
  round(windows, "a");
  time += 59_999;
  expect(known()).toEqual(["a"]);
  time += 1;
  expect(known()).toEqual([]);
  const hanging = windows.acquire("hanging");
  hanging.settle(false);
  for (const place of ["b", "c", "d", "e"]) {
    round(windows, place);
    round(windows, place);
  }
  expect(known()).toEqual(["hanging", "d", "e"]);
  hanging.release();
  expect(sizeOf(windows, "hanging")).toBe(1);
  round(windows, "b");
  expect(known()).toEqual(["d", "e", "b"]);
});
