import { describe, expect, test } from "vitest";
import { readHomes, writeHomes } from "./home-ranges";

describe("readHomes", () => {
  test.each([
    ["17", [17]],
    ["0", [0]],
    ["1023", [1023]],
    ["3-5", [3, 4, 5]],
    ["5-5", [5]],
    ["17 18,40-42", [17, 18, 40, 41, 42]],
    [" 9, 8 ,, 7-9\n", [7, 8, 9]],
  ])("reads %j", (text, homes) => expect(readHomes(text)).toEqual(homes));

  test.each(["1024", "5-1024", "9-3", "-1", "a", "1.5", "1-2-3", "00017", "0x10", "1 x"])("rejects %j", (text) =>
    expect(() => readHomes(text)).toThrow(/is not a home from 0 to 1023, nor a range like 512-1023\.$/),
  );

  test.each(["", " , "])("rejects %j, which names no home", (text) =>
    expect(() => readHomes(text)).toThrow(new RangeError("Name the homes, like 512-1023 or 17.")),
  );
});

test.each([
  [[], "none"],
  [[17], "17"],
  [[17, 18, 40], "17-18 40"],
  [[40, 18, 17], "17-18 40"],
  [Array.from({ length: 1024 }, (_, home) => home), "0-1023"],
])("writes %j as ranges", (homes, text) => {
  expect(writeHomes(homes)).toBe(text);
  if (homes.length > 0) expect(readHomes(text)).toEqual([...homes].sort((a, b) => a - b));
});
