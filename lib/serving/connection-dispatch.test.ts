import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConnectionDispatch } from "./connection-dispatch";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class FakeSocket {
  destroyed = false;
  constructor(readonly name: string) {}
  destroy() {
    this.destroyed = true;
    return this as never;
  }
}

/** Records to which process each connection goes. */
function aDispatch() {
  const handed: { process: string; name: string; number: number; failed: () => void }[] = [];
  const refused: string[] = [];
  const dispatch = new ConnectionDispatch<string, FakeSocket>({
    hand: (process, number, { name }, failed) => void handed.push({ process, name, number, failed }),
    refuse: ({ name }) => void refused.push(name),
  });
  const connect = (...names: string[]) =>
    names.map((name) => {
      const socket = new FakeSocket(name);
      dispatch.dispatch(socket);
      return socket;
    });
  return { dispatch, connect, refused, handed, places: () => handed.map(({ process, name }) => `${name} ${process}`) };
}

test("hands connections to ready processes in turn, and two unconfirmed ones to each", () => {
  const { dispatch, connect, places } = aDispatch();
  dispatch.add("A");
  dispatch.add("B");
  connect("1", "2", "3", "4", "5");
  expect(places()).toEqual(["1 A", "2 B", "3 A", "4 B"]);
});

test("closes its copy of a confirmed connection, and hands over the one that waits longest", () => {
  const { dispatch, connect, handed, places } = aDispatch();
  dispatch.add("A");
  const [first, second] = connect("1", "2", "3", "4");
  dispatch.confirm("A", handed[0]?.number ?? 0);
  expect([first?.destroyed, second?.destroyed]).toEqual([true, false]);
  expect(places()).toEqual(["1 A", "2 A", "3 A"]);
});

test("gives the unconfirmed connections of an ended or unreachable process to others", () => {
  const { dispatch, connect, handed, places } = aDispatch();
  dispatch.add("A");
  connect("1", "2", "3");
  dispatch.add("B");
  expect(places()).toEqual(["1 A", "2 A", "3 B"]);
  handed[0]?.failed();
  expect(places().slice(3)).toEqual(["1 B"]);
  dispatch.confirm("B", handed[2]?.number ?? 0);
  expect(places().slice(4)).toEqual(["2 B"]);
});

test("refuses connections while no process is ready, also those that waited", () => {
  const { dispatch, connect, refused } = aDispatch();
  connect("1");
  expect(refused).toEqual(["1"]);
  dispatch.add("A");
  connect("2", "3", "4");
  dispatch.remove("A");
  expect(refused).toEqual(["1", "2", "3", "4"]);
});

test("refuses a connection that waits ten seconds for a stuck process", () => {
  const { dispatch, connect, refused } = aDispatch();
  dispatch.add("A");
  connect("1", "2", "3");
  vi.advanceTimersByTime(9_999);
  expect(refused).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(refused).toEqual(["3"]);
});

test("forgets a connection whose client left while it waited", () => {
  const { dispatch, connect, handed, places } = aDispatch();
  dispatch.add("A");
  const [, , third] = connect("1", "2", "3", "4");
  third?.destroy();
  dispatch.confirm("A", handed[0]?.number ?? 0);
  expect(places()).toEqual(["1 A", "2 A", "4 A"]);
});
