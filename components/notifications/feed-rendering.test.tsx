import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { defaultFormats } from "@/lib/text/dates";
import { EmptyList } from "./empty-feed";
import type { FeedNotification } from "./feed-notification";
import { NotificationBody } from "./notification-body";
import { NotificationSummary } from "./notification-summary";
import { QuietBanner } from "./quiet-hours-banner";
import { RowActions } from "./row-actions";
import { sectionsOf } from "./use-feed-rows";

// The links need a router, but no test follows one.
const router = {} as AppRouterInstance;

const minute = 60_000;
const aNotification = (more: Partial<FeedNotification> = {}): FeedNotification => ({
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
});
const wordsOf = (element: React.ReactNode) => renderToStaticMarkup(element).replace(/<[^>]*>/g, "");
const line = (more?: Partial<FeedNotification>) => wordsOf(<NotificationSummary notification={aNotification(more)} />);
const opened = (more?: Partial<FeedNotification>) =>
  wordsOf(<NotificationBody notification={aNotification(more)} away={{ ref: { current: null } }} />);

describe("notification row", () => {
  test("labels urgent, important and unread notifications", () => {
    expect(line({ priority: "urgent" })).toContain("Urgent");
    expect(line({ priority: "high" })).toContain("Important");
    expect(line({ read: false })).toContain("Unread");
    expect(line({ app: { appId: "a", name: "Countersign", hue: 0, ours: true } })).toContain("This service");
    expect(line()).not.toMatch(/Urgent|Important|Unread|This service/);
  });

  test("shows a notification's app, title and time", () => {
    expect(line({ firstLine: "41 min" })).toMatch(/^C?Courier Import done 41 min2 min ago$/);
  });

  test("shows when a notification arrived, expired, was done or will return", () => {
    expect(line()).toContain("2 min ago");
    expect(line({ place: "snoozed", surfacedAt: Date.now() + 5 * minute + 5000 })).toContain("Returns in 5 min");
    const doneAt = Date.now() - minute;
    expect(line({ place: "done", doneAt })).toContain("Done 1 min ago");
    expect(line({ place: "done", doneAt, expiresAt: doneAt })).toContain("Expired 1 min ago");
  });
});

test("includes the notification's title in each row action's accessible name", () => {
  const html = renderToStaticMarkup(
    <RowActions notification={aNotification()} current={false} done={false} onAct={() => undefined} />,
  );
  expect(html.match(/aria-label="[^"]*"/g)?.slice(0, 2)).toEqual(
    Array.from({ length: 2 }, () => 'aria-label="Done: Import done"'),
  );
  expect(html).toContain('aria-label="Mark as unread: Import done"');
  // A hidden text after the label would put a space before the colon.
  expect(html).not.toContain(">: ");
});

test("shows how many earlier notifications were replaced", () => {
  expect(opened()).toBe("ops");
  expect(opened({ type: " ", muted: "type" })).toBe("Muted type");
  expect(opened({ type: " ", earlier: 3 })).toBe("Replaced 3 earlier notifications");
  expect(opened({ earlier: 100 })).toBe("ops · Replaced 99+ earlier notifications");
});

test("separates today's notifications from earlier notifications", () => {
  const today = Date.now() - 10 * minute;
  const old = aNotification({ id: "ntf_2", slot: "ntf_2", surfacedAt: today - 1 });
  const names = (...these: FeedNotification[]) =>
    sectionsOf(these, today).map(({ name, rows }) => [name, rows.map(({ id }) => id)]);
  expect(names(aNotification(), old)).toEqual([
    ["Today", ["ntf_1"]],
    ["Earlier", ["ntf_2"]],
  ]);
  expect(names(old)).toEqual([["Earlier", ["ntf_2"]]]);
  expect(names(aNotification({ place: "snoozed" }), { ...old, place: "snoozed" })).toEqual([["", ["ntf_1", "ntf_2"]]]);
  // A row that was done today belongs to today, even if its notification is older.
  expect(names({ ...old, place: "done", doneAt: today })).toEqual([["Today", ["ntf_2"]]]);
});

test("shows the end of quiet hours in the owner's time zone", () => {
  const now = Date.UTC(2026, 0, 5, 20);
  const said = (until: number, held: number) =>
    renderToStaticMarkup(
      <QuietBanner {...{ until, held, now }} clock={until + 60 * minute} formats={defaultFormats} />,
    ).replace(/<[^>]*>/g, "");
  expect(said(now + 60 * minute, 0)).toMatch(/Quiet hours until 22:00$/);
  expect(said(now + 48 * 60 * minute, 3)).toContain("Quiet hours until Wed 21:00 · 3 notifications waiting");
  expect(said(now + 10 * 86_400_000, 100)).toContain("Quiet hours all day · 99+ notifications waiting");
});

test("shows a message for each kind of empty list", () => {
  const said = (view: Parameters<typeof EmptyList>[0]["view"]) =>
    renderToStaticMarkup(
      <AppRouterContext value={router}>
        <EmptyList view={view} beyond={false} />
      </AppRouterContext>,
    ).replace(/<[^>]*>/g, "");
  expect(said({ place: "inbox" })).toBe("No notifications");
  expect(said({ place: "snoozed" })).toContain("No snoozed notifications");
  expect(said({ place: "done" })).toContain("No notifications marked as done");
  expect(said({ place: "inbox", unread: true })).toMatch(/No unread notifications.*Clear filters/);
  expect(said({ place: "inbox", muted: true })).toContain("No muted notifications");
  expect(said({ place: "done", search: "x" })).toContain("No notifications found");
});
