import { expect, test } from "vitest";
import { isId, newHomedId, newId, newOwnerId } from "@/lib/ids";
import { drawHome, type Home, homeCount, homeOf, homeText, readHome } from "./homes";

const homes = Array.from({ length: homeCount }, (_, home) => home as Home);

test("writes every home as two digits, and reads it back", () => {
  const texts = homes.map(homeText);
  expect(texts.slice(0, 2).concat(texts.slice(-1))).toEqual(["00", "01", "vv"]);
  expect([...texts].sort()).toEqual(texts);
  expect(new Set(texts).size).toBe(homeCount);
  expect(texts.map(readHome)).toEqual(homes);
  for (const odd of ["", "0", "000", "w0", "0V", "-1", " 1", "1 ", "0x", "1."])
    expect([odd, readHome(odd)]).toEqual([odd, undefined]);
});

test("stores the home in an owner's ID, and in IDs of an owner's alerts and channels", () => {
  for (const home of homes) {
    const ownerId = newOwnerId(home);
    expect([isId("own", ownerId), homeOf(ownerId)]).toEqual([true, home]);
    for (const prefix of ["alt", "chn"] as const) {
      const id = newHomedId(prefix, { ownerId });
      expect([isId(prefix, id), homeOf(id)]).toEqual([true, home]);
    }
  }
});

test("keeps the time in an ID with a home", () => {
  const before = Date.now();
  const id = newOwnerId(1023 as Home);
  // The first nine digits are 45 of the time's 48 bits.
  const at = Number.parseInt(id.slice(4, 13), 32) * 8;
  expect(at).toBeGreaterThanOrEqual(before - 8);
  expect(newId("apr", at + 60_000) > id.replace("own", "apr")).toBe(true);
});

test("spreads new owners over all homes", () => {
  const drawn = [
    ...Array.from({ length: 20_000 }, drawHome),
    ...Array.from({ length: 20_000 }, () => homeOf(newOwnerId())),
  ];
  expect(new Set(drawn)).toEqual(new Set(homes));
  const counts = homes.map((home) => drawn.filter((it) => it === home).length);
  // The expected number is 39. Numbers outside these bounds occur less than once in a million runs.
  expect(Math.max(...counts)).toBeLessThan(95);
  expect(Math.min(...counts)).toBeGreaterThan(3);
});

test("reads home 0 from an owner's ID from before homes", () => {
  expect(homeOf("own_4t1n9b6d0m00q8v5k2h7g0rjpf8s2l7e")).toBe(0);
  // Such an ID has a counter instead of the home. The counter begins at 0 in each millisecond.
  const later = Date.now() + 3_600_000;
  const former = Array.from({ length: 16 }, () => newId("apr", later).replace("apr", "own"));
  expect(former.map(homeOf)).toEqual(former.map(() => 0));
});

test("finds no home in a text that is not an ID", () => {
  for (const odd of ["", "own_1", "olive@example.com", `own_${"X".repeat(32)}`])
    expect(() => homeOf(odd)).toThrow("no home");
});

test("requires a home for an owner's ID", () => {
  // @ts-expect-error An owner's ID needs a home, so only newOwnerId creates one.
  expect(isId("own", newId("own"))).toBe(true);
  // @ts-expect-error An alert's ID comes back without the owner's ID, so it needs a home too.
  expect(isId("alt", newId("alt"))).toBe(true);
});
