import { describe, expect, test } from "vitest";
import { everywhere, named, namesOf } from "./key-bindings";

const none = { code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, timeStamp: 0 };
const names = (key: string, more: object = {}) => namesOf({ ...none, key, ...more });
const shiftKey = true;

describe("key names", () => {
  test("names a key by its character regardless of Caps Lock", () => {
    expect(names("j")).toEqual(["j"]);
    expect(names("J", { shiftKey })).toEqual(["J"]);
    expect(names("J")).toEqual(["j"]);
    expect(names("k", { shiftKey })).toEqual(["K"]);
    expect(names("?", { shiftKey })).toEqual(["?"]);
    expect(names("ü")).toEqual(["ü"]);
  });

  test("includes Shift in the name of a digit key", () => {
    expect(names("!", { shiftKey, code: "Digit1" })).toEqual(["Shift+1", "!"]);
    expect(names("1", { shiftKey, code: "Digit1" })).toEqual(["1"]);
    expect(names("&", { code: "Digit1" })).toEqual(["&"]);
  });

  test("gives the Ctrl and ⌘ keys the name “Mod”", () => {
    expect(names("k", { ctrlKey: true })).toEqual(["Mod+k"]);
    expect(names("K", { metaKey: true })).toEqual(["Mod+k"]);
    expect(names("k", { ctrlKey: true, shiftKey })).toEqual([]);
    expect(names("1", { altKey: true })).toEqual([]);
  });

  test("names keys that type no character", () => {
    expect(names("Escape")).toEqual(["Escape"]);
    expect(names("Enter", { shiftKey })).toEqual(["Shift+Enter"]);
  });
});

test("merges shortcut groups with the same name", () => {
  const run = () => undefined;
  const groups = [
    { name: everywhere, bindings: [{ keys: "?", description: "Keyboard shortcuts", run }] },
    {
      name: "Approvals",
      bindings: [
        { keys: "j", description: "Next", run },
        { keys: "ArrowDown", run },
      ],
    },
    {
      name: "Approvals",
      bindings: [
        { keys: "j", description: "Next question", run },
        { keys: "m", description: "Mute", run },
      ],
    },
    { name: "Silent", bindings: [{ keys: "x", run }] },
  ];
  expect(
    named(groups).map(({ name, bindings }) => [
      name,
      ...bindings.map(({ keys, description: says }) => `${keys} ${says}`),
    ]),
  ).toEqual([
    ["Approvals", "j Next question", "m Mute"],
    [everywhere, "? Keyboard shortcuts"],
  ]);
});
