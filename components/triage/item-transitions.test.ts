import { describe, expect, test } from "vitest";
import type { ItemEvent, ItemState, Phase } from "./item-state";
import { effectsOf, staleMs, transition, transitions } from "./item-transitions";

const about = { item: "Ship it?", at: 1000, request: 1 };
const sending: ItemState<string, string> = { ...about, phase: "sending", outcome: "yes", leftMs: 5000 };
const held: ItemState<string, string> = { ...sending, phase: "held" };
const locals: Record<Phase, ItemState<string, string> | undefined> = {
  idle: undefined,
  sending,
  held,
  undoing: { ...about, request: 2, phase: "undoing", before: held },
  undone: { ...about, phase: "undone" },
  done: { ...about, phase: "done", outcome: "yes" },
  beaten: { ...about, phase: "beaten", outcome: "no", sent: true, read: false },
  reading: { ...about, phase: "reading" },
  failed: { ...about, phase: "failed", message: "Lost" },
};
const phases = Object.keys(locals) as Phase[];

const now = 1001 + staleMs;
const given = { id: "a", item: "Ship it?", outcome: "yes" };
const act = { given, request: 3, leftMs: 5000, now };
const item = "Ship it?";
const happenings: { [Type in ItemEvent<string, string>["type"]]: ItemEvent<string, string> & { type: Type } } = {
  send: { type: "send", ...act, stayMs: 600 },
  undo: { type: "undo", ...act },
  commit: { type: "commit", ...act },
  held: { type: "held", outcome: "yes", leftMs: 4000, now },
  done: { type: "done", outcome: "yes", now },
  beaten: { type: "beaten", outcome: "no", now },
  refused: { type: "refused", message: "Must not be blank", now },
  undone: { type: "undone", now },
  "too late": { type: "too late", now },
  "not undone": { type: "not undone", now },
  ended: { type: "ended", outcome: "yes", now },
  overtaken: { type: "overtaken", outcome: "no", now },
  "listed open": { type: "listed open", now },
  "listed held": { type: "listed held", now },
  missing: { type: "missing", now },
  shown: { type: "shown", item, now },
  left: { type: "left", now },
  seen: { type: "seen", now },
  missed: { type: "missed", item, outcome: "no", now },
  stayed: { type: "stayed", now },
};
const types = Object.keys(happenings) as ItemEvent<string, string>["type"][];
const pairs = types.flatMap((type) => phases.map((phase) => [type, phase] as const));
const heard = (phase: Phase, it: ItemEvent<string, string>) =>
  effectsOf("a", locals[phase], it).map((notice) => (notice.type === "tell" ? notice.news : notice.type));

describe("events and phases", () => {
  test.each(pairs)("moves to the expected phase after the event “%s” in the phase “%s”", (type, phase) => {
    const before = locals[phase];
    const after = transition(before, happenings[type]);
    const expected = (transitions[type].phases as Partial<Record<Phase, Phase>>)[phase];
    if (expected) expect(after?.phase ?? "idle").toBe(expected);
    else expect(after).toBe(before);
  });

  test("covers every event and phase of the transition table", () => {
    expect(Object.keys(transitions).sort()).toEqual([...types].sort());
    for (const it of Object.values(transitions)) expect(phases).toEqual(expect.arrayContaining(Object.keys(it.phases)));
  });
});

test("ignores an undo or “send now” for an answer without an undo period", () => {
  const final: ItemState<string, string> = { ...sending, leftMs: 0 };
  expect(transition(final, happenings.undo)).toBe(final);
  expect(transition(final, happenings.commit)).toBe(final);
});

test("keeps a “send now” request when the reply to the answer arrives", () => {
  const hurried = transition(sending, happenings.commit);
  expect(hurried).toMatchObject({ phase: "held", leftMs: 0, request: sending.request });
  expect(transition(hurried, happenings.held)).toMatchObject({ phase: "held", leftMs: 0 });
  expect(transition(sending, happenings.held)).toMatchObject({ phase: "held", leftMs: 4000 });
});

test("continues an undo when the reply to the answer arrives", () => {
  const undoing = transition(sending, happenings.undo);
  expect(undoing).toMatchObject({ phase: "undoing", before: { phase: "sending" } });
  const later = transition(undoing, happenings.held);
  expect(later).toMatchObject({ phase: "undoing", before: { phase: "held", leftMs: 4000 } });
  expect(transition(later, happenings["not undone"])).toMatchObject({ phase: "held" });
  const lost = transition(undoing, happenings.refused);
  expect(lost).toMatchObject({ phase: "undoing", before: { phase: "failed", message: "Must not be blank" } });
  expect(transition(lost, happenings.undone)).toMatchObject({ phase: "undone" });
});

test("resets an item without local state to idle after a failed undo", () => {
  const undoing = transition<string, string>(undefined, happenings.undo);
  expect(transition(undoing, happenings["not undone"])).toBeUndefined();
});

test.each([
  ["held", "listed open"],
  ["undone", "listed held"],
] as const)("ignores a list read within 2.5 seconds after the phase “%s” began", (phase, type) => {
  const early = { ...happenings[type], now: 1000 + staleMs };
  expect(transition(locals[phase], early)).toBe(locals[phase]);
  expect(transition(locals[phase], happenings[type])).toBeUndefined();
});

test("clears an undone item when the server lists it as open", () => {
  expect(transition(locals.undone, { type: "listed open", now: 1001 })).toBeUndefined();
});

describe("typed words", () => {
  test("keeps typed words after an undo or a rejected answer", () => {
    expect(effectsOf("a", held, happenings.undo)).toEqual([{ type: "keepWords", id: "a", outcome: "yes" }]);
    expect(heard("idle", happenings.undo)).toEqual(["keepWords"]);
    expect(heard("sending", happenings.refused)).toEqual(["keepWords", "failed"]);
    expect(heard("held", happenings.refused)).toEqual(["keepWords", "failed"]);
  });

  test("does not change typed words during an undo", () => {
    for (const it of [happenings.held, happenings.done, happenings.refused]) expect(heard("undoing", it)).toEqual([]);
  });

  test("removes typed words after the server records an answer", () => {
    for (const it of [happenings.held, happenings.done, happenings.beaten])
      expect(heard("sending", it)).toContain("dropWords");
    for (const phase of ["held", "failed"] as const)
      for (const it of [happenings.ended, happenings.overtaken]) expect(heard(phase, it)).toContain("dropWords");
    expect(heard("undoing", happenings["too late"])).toEqual(["dropWords"]);
  });
});

describe("notices", () => {
  test("reports the recorded answer when the owner answers too late", () => {
    const told = { type: "tell", news: "beaten", about: [{ item: "Ship it?", outcome: "no" }] };
    expect(effectsOf("a", sending, happenings.beaten)).toContainEqual(told);
    expect(effectsOf("a", held, happenings.overtaken)).toContainEqual(told);
    expect(heard("undoing", happenings.beaten)).toEqual(["beaten"]);
    expect(heard("failed", happenings.overtaken)).toEqual(["dropWords", "beaten"]);
  });

  test("reports that the server received an answer that was shown as failed", () => {
    expect(heard("failed", happenings.ended)).toEqual(["dropWords", "after all"]);
    expect(heard("failed", happenings["listed held"])).toEqual(["after all"]);
    expect(heard("held", happenings.ended)).toEqual(["dropWords"]);
  });

  test("reports why an answer failed and which answer was undone", () => {
    expect(effectsOf("a", sending, happenings.refused)).toContainEqual({
      type: "tell",
      news: "failed",
      about: [{ item: "Ship it?" }],
      message: "Must not be blank",
    });
    expect(effectsOf("a", locals.undoing, happenings.undone)).toEqual([
      { type: "tell", news: "undone", about: [{ item: "Ship it?", outcome: "yes" }] },
    ]);
  });
});

describe("open item", () => {
  test.each(["ended", "overtaken"] as const)("keeps an item open after the event “%s” from another page", (type) => {
    expect(transition(locals.reading, happenings[type])).toMatchObject({ phase: "beaten", sent: false, read: true });
    // Nothing was sent, so the draft is kept.
    expect(heard("reading", happenings[type])).toEqual(["beaten"]);
  });

  test("resets an open item to idle when it closes", () => {
    expect(transition(locals.reading, happenings.send)).toMatchObject({ phase: "sending", outcome: "yes" });
    expect(transition(locals.reading, happenings.left)).toBeUndefined();
  });

  test("marks a superseded answer as read when the item is shown", () => {
    const lost = transition(sending, happenings.beaten);
    expect(lost).toMatchObject({ phase: "beaten", sent: true, read: false });
    const read = transition(lost, happenings.shown);
    expect(read).toMatchObject({ phase: "beaten", sent: true, read: true });
    expect(transition(read, happenings.seen)).toBe(read);
    expect(transition(read, happenings.missed)).toBe(read);
    expect(transition(lost, happenings.seen)).toEqual(read);
  });
});

describe("answered item", () => {
  const answered = transition<string, string>(undefined, { ...happenings.send, now: 1000 });
  const at = (now: number) => ({ ...happenings.stayed, now });

  test("keeps an answered item in view for its display time", () => {
    for (const it of [
      answered,
      ...(["held", "done", "commit"] as const).map((type) => transition(answered, happenings[type])),
    ]) {
      expect(it?.leaveAt).toBe(1600);
      expect(transition(it, at(1599))).toBe(it);
      expect(effectsOf("a", it, at(1599))).toEqual([]);
      expect(transition(it, at(1600))).toMatchObject({ phase: it?.phase, leaveAt: undefined });
      expect(effectsOf("a", it, at(1600))).toEqual([{ type: "goOn", item }]);
      expect(effectsOf("a", transition(it, at(1600)), at(1601))).toEqual([]);
    }
  });

  test("ends an item's display time when the owner has seen the item", () => {
    for (const it of [answered, transition(answered, happenings.held), transition(answered, happenings.done)]) {
      expect(transition(it, happenings.seen)).toEqual({ ...it, leaveAt: undefined });
      expect(effectsOf("a", it, happenings.seen)).toEqual([{ type: "goOn", item }]);
    }
    expect(effectsOf("a", held, happenings.seen)).toEqual([]);
  });

  test("ends the display time of an undone, failed or superseded item", () => {
    for (const it of [happenings.undo, happenings.refused, happenings.beaten])
      expect(transition(answered, it)).not.toHaveProperty("leaveAt");
  });
});
