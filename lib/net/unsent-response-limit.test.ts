import { afterEach, beforeEach, expect, type Mock, test, vi } from "vitest";
import { isFull, noteTaken, noteUnsent, roomForReply, unsentBytes } from "./unsent-response-limit";

const mib = 1024 * 1024;
const replies = new Set<{ destroy: Mock<() => void> }>();
function waits(text: string, bytes = 9 * mib) {
  const reply = { destroy: vi.fn<() => void>() };
  replies.add(reply);
  noteUnsent(reply, text, bytes);
  return reply;
}
const isMade = async (room: ReturnType<typeof roomForReply>) =>
  room === undefined || (await Promise.race([room.then(() => true), new Promise((go) => setImmediate(go, false))]));

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => {
  for (const reply of replies) noteTaken(reply);
  vi.useRealTimers();
});

test("queues a long response while two others are unread", async () => {
  const first = waits("first");
  expect(roomForReply()).toBeUndefined();
  waits("second");
  expect(isFull()).toBe(true);
  const room = roomForReply();
  expect(await isMade(room)).toBe(false);
  noteTaken(first);
  expect(await isMade(room)).toBe(true);
  (await room)?.();
});

test("counts a text's memory only once for all its readers", async () => {
  const [one, other] = [waits("alike", 40 * mib), waits("alike", 40 * mib)];
  expect([unsentBytes(), isFull()]).toEqual([40 * mib, false]);
  noteTaken(one);
  expect(unsentBytes()).toBe(40 * mib);
  noteTaken(other);
  expect(unsentBytes()).toBe(0);
});

test("disconnects the longest idle client when another client waits", async () => {
  const [first, second] = [waits("first"), waits("second")];
  const room = roomForReply();
  vi.advanceTimersByTime(500);
  expect([first, second].map(({ destroy }) => destroy.mock.calls.length)).toEqual([1, 0]);
  expect(await isMade(room)).toBe(true);
  (await room)?.();
});

test("disconnects the clients that have been idle longest while unread responses exceed the memory limit", async () => {
  const all = ["a", "b", "c"].map((text) => waits(text));
  expect(all.map(({ destroy }) => destroy.mock.calls.length)).toEqual([0, 0, 0]);
  vi.advanceTimersByTime(1000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(all.map(({ destroy }) => destroy.mock.calls.length)).toEqual([1, 1, 0]);
  waits("d", 70 * mib);
  expect(all[2]?.destroy).toHaveBeenCalledOnce();
});

test("creates at most two queued responses at a time", async () => {
  const [first] = [waits("first"), waits("second")];
  const rooms = [roomForReply(), roomForReply(), roomForReply()];
  noteTaken(first);
  expect(await Promise.all(rooms.map(isMade))).toEqual([true, true, false]);
  (await rooms[0])?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await isMade(rooms[2])).toBe(true);
  for (const room of [rooms[1], rooms[2]]) (await room)?.();
});
