import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { defaultFormats } from "@/lib/text/dates";
import { EmptyList } from "./empty-list";
import { QuietBanner } from "./quiet-banner";
import { RowLine } from "./row-line";
import type { FeedNotification } from "./types";

// Links need a router, but no test follows one.
const router = {} as AppRouterInstance;

const minute = 60_000;
const line = (more: Partial<FeedNotification> = {}) =>
  renderToStaticMarkup(
    <RowLine
      notification={{
        id: "ntf_1",
        slot: "ntf_1",
        app: { appId: "app_1", name: "Courier", hue: 0, ours: false },
        title: "Import done",
        type: "ops",
        priority: "normal",
        read: true,
        place: "inbox",
        createdAt: Date.now() - 2 * minute,
        surfacedAt: Date.now() - 2 * minute,
        earlier: 0,
        whole: true,
        ...more,
      }}
    />,
  ).replace(/<[^>]*>/g, "");

describe("the line of a notification", () => {
  test("labels urgent, important, unread, muted and system notifications", () => {
    expect(line({ priority: "urgent" })).toContain("Urgent");
    expect(line({ priority: "high" })).toContain("Important");
    expect(line({ read: false })).toContain("Unread");
    expect(line({ muted: "type" })).toContain("Muted");
    expect(line({ app: { appId: "a", name: "Countersign", hue: 0, ours: true } })).toContain("This service");
    expect(line()).not.toMatch(/Urgent|Important|Unread|Muted|This service/);
  });

  test("shows when it arrived, and when it was replaced, done or expired", () => {
    expect(line()).toContain("2 min ago");
    expect(line({ earlier: 3 })).toMatch(/Updated 2 min ago, 3 earlier/);
    expect(line({ earlier: 100 })).toContain("99+ earlier");
    expect(line({ place: "snoozed", surfacedAt: Date.now() + 5 * minute + 5000 })).toContain("Back in 5 min");
    const doneAt = Date.now() - minute;
    expect(line({ place: "done", doneAt })).toContain("Done 1 min ago");
    expect(line({ place: "done", doneAt, expiresAt: doneAt })).toContain("Expired 1 min ago");
  });
});

test("shows the end of quiet hours on the owner's clock, with the number held", () => {
  const now = Date.UTC(2026, 0, 5, 20);
  const said = (until: number, held: number) =>
    renderToStaticMarkup(
      <QuietBanner {...{ until, held, now }} clock={until + 60 * minute} formats={defaultFormats} />,
    ).replace(/<[^>]*>/g, "");
  expect(said(now + 60 * minute, 0)).toMatch(/Quiet until 22:00New/);
  expect(said(now + 48 * 60 * minute, 3)).toContain("Quiet until Wed 21:00 · 3 waiting");
  expect(said(now + 10 * 86_400_000, 100)).toContain("Quiet around the clock · 99+ waiting");
});

test("explains an empty list", () => {
  const said = (view: Parameters<typeof EmptyList>[0]["view"]) =>
    renderToStaticMarkup(
      <AppRouterContext value={router}>
        <EmptyList view={view} beyond={false} />
      </AppRouterContext>,
    ).replace(/<[^>]*>/g, "");
  expect(said({ place: "inbox" })).toContain("Nothing new");
  expect(said({ place: "snoozed" })).toContain("Nothing snoozed");
  expect(said({ place: "done" })).toContain("No done notifications yet");
  expect(said({ place: "inbox", unread: true })).toMatch(/No unread notifications.*Show everything/);
  expect(said({ place: "inbox", muted: true })).toContain("No muted notifications");
  expect(said({ place: "done", search: "x" })).toContain("Nothing found");
});
