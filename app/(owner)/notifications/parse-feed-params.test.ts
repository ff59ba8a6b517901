import { expect, it } from "vitest";
import { feedAddress } from "@/components/notifications/feed-view";
import { viewOf } from "./parse-feed-params";

const readBack = (type: string) => {
  const { searchParams } = new URL(feedAddress({ place: "inbox", type }), "http://localhost");
  return viewOf(Object.fromEntries(searchParams)).view.type;
};

it.each([["build"], ["Order shipped"], ["größe"], ["a&b=c?d#e/f"], ['"quoted" <b>'], [" kept "], ["📦".repeat(64)]])(
  "filters the feed by the type %j in the URL",
  (type) => expect(readBack(type)).toBe(type),
);

it.each([["a\nb"], ["x".repeat(65)], ["\0"], ["\u202eb"]])("ignores the invalid type %j in the URL", (type) =>
  expect(readBack(type)).toBeUndefined(),
);
