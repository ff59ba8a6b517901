import { describe, expect, test } from "vitest";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { sections } from "@/lib/approvals/owner-view";
import { arrange, inOrder, sectionNames, sectionsOf, undivided } from "./arrange-sections";

const now = 1_000_000;
const asked = (id: string, app = "a", { triage = {}, ...more }: Partial<Record<string, object | number>> = {}) =>
  ({
    _id: id,
    _creationTime: now - 1,
    clientId: app,
    app: { name: `App ${app}`, muted: false },
    options: [{ id: "yes", label: "Yes" }],
    triage: { askedBack: false, section: "today", ...(triage as object) },
    ...more,
  }) as unknown as InboxApproval;
const ids = (rows: readonly InboxApproval[]) => rows.map(({ _id }) => _id).join(" ");

const earlier = { triage: { section: "earlier" } };
const soon = { triage: { section: "due" } };
const care = { triage: { section: "care" } };
const muted = asked("m", "m", { app: { name: "Loud", muted: true } });
const away = asked("w", "w", { triage: { askedBack: true } });
const single = asked("b1", "b");
const burst = [1, 2, 3, 4, 5].map((at) => asked(`a${at}`));

type Given = { before?: InboxApproval[]; folds?: [string, boolean][]; counts?: Record<string, number> };
const divided = (rows: InboxApproval[], { before = rows, folds = [], counts = {} }: Given = {}) =>
  sectionsOf(rows, arrange(before, now, counts), new Map(folds));
/** Describes each section as text: rows by ID, and groups in brackets. */
const shape = (rows: InboxApproval[], given?: Given) =>
  divided(rows, given).map(({ name, open, items }) => {
    const its = items.map((it) => (it.kind === "row" ? it.approval._id : `[${ids(it.rows)}${it.open ? " open" : ""}]`));
    return `${name}${open ? "" : " (closed)"}: ${its.join(" ")}`;
  });

describe("sections", () => {
  test("lists the section names in the order of the sections", () => {
    expect(Object.keys(sectionNames).slice(0, sections.length)).toEqual(sections);
  });

  test("sorts sections by urgency", () => {
    const rows = [
      asked("due", "a", soon),
      asked("risky", "b", care),
      asked("today"),
      asked("again", "c"),
      asked("old", "a", earlier),
      muted,
      away,
    ];
    expect(shape(rows)).toEqual([
      "due: due",
      "care: risky",
      "today: today again",
      "earlier: old",
      "asked: w",
      "muted (closed): m",
    ]);
  });

  test("places arrivals in a section of their own below the existing rows", () => {
    const arrived = { _creationTime: now + 1 };
    const [risky, urgent] = [asked("r", "b", { ...arrived, ...care }), asked("u", "c", { ...arrived, ...soon })];
    const before = [single, asked("old", "b", earlier)];
    expect(shape([urgent, risky, ...before], { before })).toEqual(["today: b1", "earlier: old", "new: u r"]);
    expect(shape([urgent, risky, ...before])).toEqual(["due: u", "care: r", "today: b1", "earlier: old"]);
  });

  test("places older questions that load later in their usual sections", () => {
    expect(shape([single, asked("2", "b"), asked("old", "b", earlier)], { before: [single] })).toEqual([
      "today: b1 2",
      "earlier: old",
    ]);
  });

  test("does not move a question with a held answer to another section", () => {
    const held = asked("w", "w", { triage: { askedBack: true, held: {} } });
    expect(shape([held, single])).toEqual(["today: w b1"]);
  });

  test("lists search results without section headings", () => {
    expect(undivided([...burst, single]).map(({ name, items }) => [name, items.length])).toEqual([[undefined, 6]]);
    expect(undivided([])).toEqual([]);
  });
});

describe("groups by app", () => {
  test("groups five or more questions of an app if several apps have questions", () => {
    expect(shape([...burst, single])).toEqual(["today: a1 b1 [a2 a3 a4 a5]"]);
    expect(shape(burst)).toEqual(["today: a1 a2 a3 a4 a5"]);
    expect(shape([...burst.slice(1), single])).toEqual(["today: a2 a3 a4 a5 b1"]);
  });

  test("counts pending questions that are not loaded toward a group's minimum size", () => {
    const rows = [asked("a1"), asked("a2"), single];
    expect(shape(rows, { counts: { a: 5, b: 4 } })).toEqual(["today: a1 b1 [a2]"]);
    expect(shape([asked("a1"), asked("a2")], { counts: { a: 5 } })).toEqual(["today: a1 a2"]);
    // The second question loads later.
    const before = [asked("a1"), single];
    expect(shape(rows, { before, counts: { a: 5 } })).toEqual(["today: a1 b1 [a2]"]);
  });

  test("excludes urgent and high-risk questions from groups", () => {
    const rows = [asked("due", "a", soon), asked("risky", "a", care), ...burst, single];
    expect(shape(rows)).toEqual(["due: due", "care: risky", "today: a1 b1 [a2 a3 a4 a5]"]);
  });

  test("allows a batch answer only for questions with identical options", () => {
    const other = asked("a6", "a", { options: [{ id: "no", label: "No" }] });
    const alike = (rows: InboxApproval[]) =>
      divided(rows).flatMap(({ items }) => items.flatMap((it) => (it.kind === "group" ? [it.alike] : [])));
    expect(alike([...burst, single])).toEqual([true]);
    expect(alike([...burst, other, single])).toEqual([false]);
  });

  test("adds arrivals to an existing group without forming new groups", () => {
    const arrived = { _creationTime: now + 1 };
    const more = [asked("a6", "a", arrived), ...[2, 3, 4, 5].map((at) => asked(`b${at}`, "b", arrived))];
    expect(shape([...burst, single, ...more], { before: [...burst, single] })).toEqual([
      "today: a1 b1 [a2 a3 a4 a5 a6]",
      "new: b2 b3 b4 b5",
    ]);
  });

  test("includes collapsed groups but not collapsed sections in the keyboard order", () => {
    const rows = [muted, away, ...burst, single];
    expect(ids(inOrder(divided(rows)))).toBe("a1 b1 a2 a3 a4 a5 w");
    expect(ids(inOrder(divided(rows, { folds: [["muted", true]] })))).toBe("a1 b1 a2 a3 a4 a5 w m");
    expect(shape(rows, { folds: [["a", true]] })[0]).toBe("today: a1 b1 [a2 a3 a4 a5 open]");
  });
});
