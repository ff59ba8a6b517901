import { expect, test } from "vitest";
import { sharedWindows } from "./shared-windows";

type Sent = { place: string; kind?: string };
const windows = () =>
  sharedWindows<Sent>({
    bounds: { first: 2, max: 4, forget: 60_000, places: 100 },
    placeOf: ({ place }) => place,
    groupLimits: ({ kind }) => (kind ? [{ group: kind, max: 1 }] : []),
  });

/** Joins workers that note when they are woken. */
function workers(count: number) {
  const shared = windows();
  const woken: number[] = [];
  const joined = Array.from({ length: count }, (_, nth) => shared.join(() => woken.push(nth)));
  return { joined: joined as [(typeof joined)[0], (typeof joined)[0], (typeof joined)[0]], woken };
}

test("refuses a request to a full destination, and counts the requests of all workers", () => {
  const { joined } = workers(2);
  const [one, two] = joined;
  one.begin({ place: "a" });
  two.begin({ place: "a" });
  expect(one.begin({ place: "a" })).toBeUndefined();
  expect(two.begin({ place: "b" })).toBeDefined();
  expect(one.sizes()).toEqual([
    { place: "a", size: 2, underWay: 2, elsewhere: 1 },
    { place: "b", size: 2, underWay: 1, elsewhere: 1 },
  ]);
});

test("refuses a request of a full group", () => {
  const { joined } = workers(2);
  const [one, two] = joined;
  const first = one.begin({ place: "a", kind: "failing" });
  expect(two.begin({ place: "b", kind: "failing" })).toBeUndefined();
  expect(two.underWayIn("failing")).toBe(1);
  first?.release();
  expect(two.begin({ place: "b", kind: "failing" })).toBeDefined();
});

test("wakes every worker that waits when a full destination has room again, once", () => {
  const { joined, woken } = workers(3);
  const [one, two, three] = joined;
  const [first, second] = [one.begin({ place: "a" }), one.begin({ place: "a" })];
  // The second worker looks for jobs and has none, and the third one's job is refused.
  two.sizes();
  expect(three.begin({ place: "a" })).toBeUndefined();
  first?.settle(true);
  first?.release();
  expect(woken).toEqual([1, 2]);
  second?.release();
  expect(woken).toEqual([1, 2]);
});

test("wakes no worker when a destination that was not full ends a request, nor one that has left", () => {
  const { joined, woken } = workers(3);
  const [one, two, three] = joined;
  const only = one.begin({ place: "a" });
  two.sizes();
  only?.release();
  expect(woken).toEqual([]);
  const [first] = [one.begin({ place: "a" }), one.begin({ place: "a" })];
  three.begin({ place: "a" });
  three.leave();
  first?.release();
  expect(woken).toEqual([1]);
});
