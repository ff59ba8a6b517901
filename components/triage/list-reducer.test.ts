import { describe, expect, test } from "vitest";
import { firstState, type ListEvent, type ListState, listReducer } from "./list-reducer";

const stateAfter = (...events: ListEvent[]): ListState => events.reduce(listReducer, firstState("a"));
const selected = (...events: ListEvent[]) => [...stateAfter(...events).selected];
const toggle = (key: string): ListEvent => ({ type: "toggled", key });
const clear: ListEvent = { type: "cleared" };
const tell = (words: string): ListEvent => ({ type: "told", toast: { words, leftMs: 1 } });

describe("selection", () => {
  test.each<[string, ListEvent[], string[]]>([
    ["selects a row", [toggle("1")], ["1"]],
    ["deselects a row that is toggled twice", [toggle("1"), toggle("1")], []],
    ["selects each row only once", [toggle("1"), { type: "selected", keys: ["1", "2"] }], ["1", "2"]],
    ["clears the selection", [toggle("1"), clear], []],
  ])("%s", (_, events, expected) => expect(selected(...events)).toEqual(expected));

  test("turns off selection mode when the selection is cleared", () => {
    expect(stateAfter({ type: "picked" }).picking).toBe(true);
    expect(stateAfter({ type: "picked" }, clear).picking).toBe(false);
    expect(stateAfter({ type: "picked" }, toggle("1"), clear).picking).toBe(false);
  });

  test("closes the batch dialog when the selection is cleared", () => {
    const asks = (name: "batch" | "snooze"): ListEvent => ({ type: "asked", dialog: { name } });
    expect(stateAfter(toggle("1"), asks("batch")).dialog).toEqual({ name: "batch" });
    expect(stateAfter(toggle("1"), asks("batch"), clear).dialog).toBeUndefined();
    expect(stateAfter(toggle("1"), asks("batch"), toggle("1")).dialog).toBeUndefined();
    expect(stateAfter(toggle("1"), asks("snooze"), clear).dialog).toEqual({ name: "snooze" });
  });

  test("returns the unchanged state object when an empty selection is cleared", () => {
    const before = stateAfter();
    expect(listReducer(before, clear)).toBe(before);
  });
});

describe("open row", () => {
  test("opens the row whose ID is in the URL", () => {
    expect(stateAfter().named).toBe("a");
    expect(stateAfter({ type: "named", id: "b" }).named).toBe("b");
    expect(stateAfter({ type: "named", id: undefined }, { type: "rested", id: "c" })).toMatchObject({ resting: "c" });
  });

  test("returns the unchanged state object when the open row is opened again", () => {
    const before = stateAfter({ type: "rested", id: "c" });
    expect(listReducer(before, { type: "named", id: "a" })).toBe(before);
    expect(listReducer(before, { type: "rested", id: "c" })).toBe(before);
  });

  test("clears the chosen option of a row", () => {
    expect(stateAfter({ type: "chose", id: "a", option: "yes" }, { type: "chose", id: "a" }).chosen).toBeUndefined();
  });

  test("keeps a row's chosen option while another row is open", () => {
    expect(stateAfter({ type: "chose", id: "a", option: "yes" }, { type: "named", id: "b" }).chosen).toEqual({
      id: "a",
      option: "yes",
    });
  });
});

test("stores only the latest change to each group and row", () => {
  const fold = (open: boolean): ListEvent => ({ type: "folded", key: "app", open });
  expect(stateAfter(fold(true), fold(false)).folds).toEqual(new Map([["app", false]]));
  const marks: ListEvent[] = [
    { type: "marked", keys: ["1", "2"], seen: true },
    { type: "marked", keys: ["2"], seen: false },
  ];
  expect(stateAfter(...marks).seen).toEqual(
    new Map([
      ["1", true],
      ["2", false],
    ]),
  );
});

describe("messages", () => {
  test("changes a repeated message so that screen readers announce it again", () => {
    const say = (words: string): ListEvent => ({ type: "said", words });
    expect(stateAfter(say("Answered.")).said).toBe("Answered.");
    expect(stateAfter(say("Answered."), say("Answered.")).said).toBe("Answered.\u00a0");
    expect(stateAfter(say("Answered."), say("Answered."), say("Answered.")).said).toBe("Answered.");
  });

  test("clears the announced message when the message's toast closes", () => {
    const told: ListEvent = { type: "told", toast: { words: "Answered", leftMs: 1, undo: () => {} } };
    const events: ListEvent[] = [{ type: "said", words: "Answered." }, told];
    expect(stateAfter(...events, { type: "hid", key: 2 }).said).toBe("Answered.");
    expect(stateAfter(...events, { type: "hid", key: 1 }).said).toBe("");
  });

  test("replaces the previous toast with the latest toast", () => {
    expect(stateAfter(tell("One"), tell("Two")).toast).toMatchObject({ words: "Two", key: 2 });
  });

  test("keeps the latest toast when an event hides an earlier toast", () => {
    expect(stateAfter(tell("One"), tell("Two"), { type: "hid", key: 1 }).toast).toMatchObject({ words: "Two" });
    expect(stateAfter(tell("One"), tell("Two"), { type: "hid", key: 2 }).toast).toBeUndefined();
    expect(stateAfter(tell("One"), { type: "hid" }).toast).toBeUndefined();
  });
});
