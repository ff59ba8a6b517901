import { describe, expect, test } from "vitest";
import type { AnswerState, InboxApproval, RecentResolution } from "@/components/approvals/types";
import { maxBatchAnswers } from "@/lib/approvals/answer";
import type { Resolution } from "@/lib/approvals/schema";
import { latestHeld } from "./inbox-actions";
import { withEndings } from "./inbox-rows";
import { inChunks, maxIdsPerRequest, withSeen } from "./requests";

const no: Resolution = { kind: "option", optionId: "no", resolvedBy: "api", resolvedAt: 1 };
const asked = (id: string, app = "a", more: object = {}): InboxApproval =>
  ({
    _id: id,
    clientId: app,
    contentHash: `hash of ${id}`,
    app: { name: `App ${app}`, muted: false },
    triage: { askedBack: false },
    ...more,
  }) as unknown as InboxApproval;
const ids = (rows: readonly InboxApproval[]) => rows.map(({ _id }) => _id).join(" ");

describe("rows removed from the list", () => {
  const [one, two] = [asked("1"), asked("2")];
  const shown = (endings: RecentResolution[], stays: string[] = []) =>
    withEndings([one, two], [one], { endings, stays: (id) => stays.includes(id) });

  test("shows how a removed row's question ended", () => {
    const held = asked("1", "a", { triage: { held: {} } });
    const [row] = withEndings([held], [held], { endings: [{ id: "1", resolution: no }], stays: () => false });
    expect(row).toMatchObject({ resolution: no, triage: {} });
    expect(row?.triage.held).toBeUndefined();
    expect(shown([{ id: "1", resolution: no, byDefault: true }])[0]).toMatchObject({ byDefault: true });
  });

  test("removes an unused row without an answer immediately", () => {
    expect(ids(shown([]))).toBe("2");
    expect(ids(shown([], ["1"]))).toBe("1 2");
  });

  test("shows a removed row as expired after its deadline", () => {
    const late = asked("1", "a", { expiresAt: Date.now() - 1 });
    expect(withEndings([late], [late], { endings: [], stays: () => true })[0]?.deadlinePassed).toBe(true);
  });
});

describe("answer that undo reverts", () => {
  const now = performance.now();
  const held = (id: string, at: number, leftMs = 30_000): [string, AnswerState] => [
    id,
    { item: asked(id), at: now + at, request: 1, phase: "held", outcome: no, leftMs },
  ];
  const listed = (id: string, commitAt: number) =>
    asked(id, "a", { triage: { askedBack: false, held: { answer: no, commitAt, leftMs: 30_000 } } });

  test("undoes the latest answer from this page first", () => {
    expect(latestHeld([], new Map([held("1", 1), held("2", 2)]))?._id).toBe("2");
    expect(latestHeld([], new Map([held("1", 1), ["2", { ...held("2", 2)[1], phase: "undone" }]]))?._id).toBe("1");
  });

  test("undoes an answer from before the page load as a fallback", () => {
    expect(latestHeld([listed("1", 10), listed("2", 20)], new Map())?._id).toBe("2");
    expect(latestHeld([listed("1", 10)], new Map([held("3", 1)]))?._id).toBe("3");
  });

  test("offers no undo after the undo period", () => {
    expect(latestHeld([asked("1")], new Map([held("1", -60_000)]))).toBeUndefined();
  });
});

test("sends the content hash of each question in a batch", () => {
  const form = withSeen([asked("1"), asked("2")], { optionId: "yes" });
  expect(form.getAll("ids")).toEqual(["1", "2"]);
  expect(form.getAll("seen")).toEqual(["hash of 1", "hash of 2"]);
});

test("splits a large batch into several requests", () => {
  expect(maxIdsPerRequest).toBe(maxBatchAnswers);
  const several = Array.from({ length: 250 }, (_, at) => at);
  expect(inChunks(several).map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(inChunks(several).flat()).toEqual(several);
  expect(inChunks([])).toEqual([]);
});
