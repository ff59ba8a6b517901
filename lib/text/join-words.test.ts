import { expect, test } from "vitest";
import { joinWords } from "./join-words";

test.each([
  [[], ""],
  [["one account"], "one account"],
  [["one", "two", "three"], "one, two and three"],
  [["3 linked accounts", "1,204 webhooks"], "3 linked accounts and 1,204 webhooks"],
])("joins %j as text", (items, text) => expect(joinWords(items)).toBe(text));
