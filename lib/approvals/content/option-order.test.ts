import { expect, test } from "vitest";
import { displayOptions } from "./option-order";

test("lists a safe option first if the question has a safe option", () => {
  const option = (id: string) => ({ id, label: id, ...(id.startsWith("!") && { style: "danger" as const }) });
  const shown = (...ids: string[]) => displayOptions(ids.map(option)).map(({ id }) => id);
  expect(shown("!drop", "keep", "!wipe", "wait")).toEqual(["keep", "wait", "!drop", "!wipe"]);
  expect(shown("keep", "!drop", "wait")).toEqual(["keep", "!drop", "wait"]);
  expect(shown("!drop", "!wipe")).toEqual(["!drop", "!wipe"]);
  expect(shown()).toEqual([]);
});
