import { expect, test } from "vitest";
import { eventId, readEventId } from "./event-id";

test("decodes a position from an event ID", () => {
  for (const place of [
    { tx: "0", id: "0" },
    { tx: "0", id: "1" },
    { tx: "9007199254740993", id: "9223372036854775807" },
  ]) {
    expect(eventId(place)).toMatch(/^evt_[0-9a-v]{26}$/);
    expect(eventId(place)).toBe(eventId(place));
    expect(readEventId(eventId(place))).toEqual(place);
  }
});

test("assigns unrelated IDs to adjacent events", () => {
  const [one, other] = [eventId({ tx: "700", id: "41" }), eventId({ tx: "700", id: "42" })];
  expect(one.slice(0, 8)).not.toBe(other.slice(0, 8));
});

test.each([
  "",
  "evt_",
  "evt_x",
  `evt_${"v".repeat(26)}`,
  `evt_${"0".repeat(25)}`,
  `apr_${"0".repeat(26)}`,
  "\u{1F600}",
])("rejects the event ID %j", (text) => expect(readEventId(text)).toBeUndefined());
