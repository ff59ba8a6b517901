import { expect, test } from "vitest";
import { SharedTexts } from "./text-memory-counter";

test("counts a text's memory until its last reader disconnects", () => {
  const texts = new SharedTexts();
  texts.add("one", 10);
  texts.add("one", 10);
  texts.add("other", 5);
  expect([texts.count, texts.bytes]).toEqual([2, 15]);
  texts.remove("one");
  expect([texts.count, texts.bytes]).toEqual([2, 15]);
  texts.remove("one");
  expect([texts.count, texts.bytes]).toEqual([1, 5]);
});

test("ignores the removal of a text that is not counted", () => {
  const texts = new SharedTexts();
  texts.remove("one");
  expect([texts.count, texts.bytes]).toEqual([0, 0]);
});
