import { expect, test } from "vitest";
import { optionsWith } from "./use-option-search";

const options = [
  { id: "ship", label: "Ship it", note: "On Monday" },
  { id: "wait", label: "Wait" },
];
const found = (words: string) => optionsWith(options, words).map(({ id }) => id);

test("finds options by words in their label or note", () => {
  expect([found("SHIP".toLowerCase()), found("monday"), found("wait"), found("never")]).toEqual([
    ["ship"],
    ["ship"],
    ["wait"],
    [],
  ]);
});

test("returns every option for an empty search text", () => {
  expect(found("")).toEqual(["ship", "wait"]);
});
