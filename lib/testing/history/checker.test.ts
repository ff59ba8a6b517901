import { expect, test } from "vitest";
import { checkHistory } from "./checker";
import { type Entry, type FeedEvent, fromLines, type History, type Moment, type Seen, toLines } from "./history";

const at = (seconds: number): Moment => ({ at: seconds * 1000, free: seconds * 1000 });
/** An interval of 100 milliseconds. */
const from = (seconds: number) => ({ began: at(seconds), ended: at(seconds + 0.1) });
const ok = { owner: "olive", outcome: "ok", status: 200 } as const;
const refused = { owner: "olive", outcome: "refused", status: 409 } as const;
const unknown = { owner: "olive", outcome: "unknown", status: 503 } as const;
const id = "apr_1";

const asked = (seconds: number, more: object = {}): Entry => ({
  ...{ ...from(seconds), ...ok, op: "ask", question: "q1", id, terms: {} },
  ...more,
});
const resolved = (seconds: number, note: string, more: object = ok): Entry => ({
  ...{ ...from(seconds), ...ok, op: "resolve", id, note },
  ...more,
});
const answered = (seconds: number, note: string, more: object = ok): Entry => ({
  ...{ ...from(seconds), ...ok, op: "answer", id, note, seen: [], held: false },
  ...more,
});
const undone = (seconds: number): Entry => ({ ...from(seconds), ...ok, op: "undo", id, undone: true });
const added = (seconds: number, text: string, more: object = ok): Entry => ({
  ...{ ...from(seconds), ...ok, op: "add", id, text },
  ...more,
});
const used = (seconds: number, key: string, more: object = {}): Entry => ({
  ...{ ...from(seconds), ...ok, op: "use", id, key, receipt: `receipt of ${key}` },
  ...more,
});
const withdrawn = (seconds: number): Entry => ({ ...from(seconds), ...ok, op: "withdraw", id });
const frozen = (seconds: number): Entry => ({ ...from(seconds), ...ok, op: "freeze" });
const unfrozen = (seconds: number): Entry => ({ ...from(seconds), ...ok, op: "unfreeze" });
const pushed = (seconds: number, title: string): Entry => ({
  ...{ ...from(seconds), ...ok, op: "push", title, id: `ntf_${title}` },
});
const pending: Seen = { status: "pending", additions: [] };
const shows = (note: string, more: Partial<Seen> = {}): Seen => ({
  ...{ status: "resolved", note, resolvedBy: "owner", optionId: "yes", resolvedAt: 1500, additions: [] },
  ...more,
});
const read = (seconds: number, seen: Seen = pending): Entry => ({
  ...{ ...from(seconds), ...ok, op: "read", id, via: "last", seen },
});
const missed = (seconds: number): Entry => ({ ...from(seconds), ...refused, status: 404, op: "read", id, via: "last" });
const event = (type: string, subject = id): FeedEvent => ({ id: `${type} ${subject}`, type, subject });
const events = (reader: string, ...list: FeedEvent[]): Entry => ({
  ...{ ...from(50), op: "events", owner: "olive", reader, events: list },
});
const submitted = event("approval.submitted");
const told = event("approval.resolved");
const message = (of: FeedEvent, key = of.id, isSigned = true): Entry => ({
  ...{ ...from(50), op: "message", owner: "olive", key, isSigned, event: of },
});
const inbox = (seconds: number, rows: string[], count = rows.length): Entry => ({
  ...{ ...from(seconds), op: "page", owner: "olive", page: "inbox 1", list: "inbox", instance: 1, count, rows },
});
const notifications = (seconds: number, rows: string[]): Entry => ({
  ...{
    ...from(seconds),
    op: "page",
    owner: "olive",
    page: "list 1",
    list: "notifications",
    instance: 1,
    count: 0,
    rows,
  },
});
const trouble = (began: number, ended: number): Entry => ({
  ...{ op: "trouble", name: "kill", instances: [1], owners: [], began: at(began), ended: at(ended) },
});

const later = event("approval.submitted", "apr_2");
const endpoint = (first: string): Entry => ({ op: "endpoint", owner: "olive", first });

const truths: Record<string, History> = {
  "an answer by the app": [asked(1), read(2), resolved(3, "a"), read(4, shows("a")), events("list", submitted, told)],
  "an answer of which the reply was lost": [asked(1), resolved(2, "a", unknown), read(3), read(5, shows("a"))],
  "an answer that never arrived": [asked(1), resolved(2, "a", unknown), read(30)],
  "two answers at the same time": [asked(1), answered(2, "a", refused), resolved(2, "b"), read(4, shows("b"))],
  "an answer after an undo": [
    ...[asked(1), answered(2, "a", { ...ok, held: true }), undone(3), answered(4, "b"), read(5, shows("b"))],
  ],
  "additions that the owner saw": [
    ...[asked(1), added(2, "x"), added(3, "y"), answered(4, "a", { ...ok, seen: ["x", "y"] })],
    read(5, shows("a", { additions: ["x", "y"] })),
  ],
  "a use that was repeated": [
    ...[asked(1), answered(2, "a"), used(3, "k"), used(3.5, "k"), used(4, "l", { ...refused, reason: "used" })],
    read(5, shows("a", { usedAt: 3 })),
  ],
  "a withdrawal": [
    ...[asked(1), answered(2, "a"), withdrawn(3), used(4, "k", { ...refused, reason: "withdrawn" })],
    ...[read(5, shows("a", { withdrawnAt: 3 })), events("list", submitted, told, event("approval.withdrawn"))],
  ],
  "a default": [
    asked(1, { terms: { deadline: 11_000, defaultOption: "no" } }),
    read(40, shows("Deadline passed", { resolvedBy: "api", optionId: "no", resolvedAt: 11_200 })),
  ],
  "a deadline that a freeze moved": [
    ...[asked(1, { terms: { deadline: 11_000 } }), frozen(5), unfrozen(9), resolved(12, "a")],
    read(40, shows("a", { resolvedAt: 12_050 })),
  ],
  "readers that received the same events": [
    ...[asked(1), pushed(2, "n1"), events("list", submitted, event("notification.pushed", "ntf_n1"))],
    events("stream", submitted, event("notification.pushed", "ntf_n1")),
  ],
  "a webhook that arrived twice": [asked(1), events("list", submitted), message(submitted), message(submitted)],
  "a release's endpoint, which gets no earlier event": [
    ...[asked(1), resolved(2, "a"), read(3, shows("a")), asked(4, { id: "apr_2" }), endpoint("apr_2")],
    ...[events("list", submitted, told, later), message(later)],
  ],
  "pages that follow": [
    ...[asked(1), inbox(2, []), inbox(10, ["q1"]), resolved(11, "a"), inbox(12, ["q1"]), inbox(20, [])],
    ...[pushed(1, "n1"), notifications(20, ["n1"])],
  ],
  "a page whose instance was killed": [asked(1), trouble(2, 10), inbox(14, [])],
};

test.each(Object.entries(truths))("accepts %s", (_, history) => {
  expect(checkHistory(history).problems).toEqual([]);
});

const question = "q1 (apr_1)";
/** An entry of another owner. */
const ofPaul = (entry: Entry) => ({ ...entry, owner: "paul" }) as Entry;
const lies: [problem: string, history: History][] = [
  [`The acknowledged question ${question} is missing.`, [asked(1), missed(2)]],
  [
    `Readers saw several answers to ${question}: a, b.`,
    [...[asked(1), resolved(2, "a", unknown), resolved(2, "b", unknown), read(3, shows("a")), read(4, shows("b"))]],
  ],
  [`The answer "z" to ${question} is one that nobody gave.`, [asked(1), read(2, shows("z"))]],
  [
    `The answer "a" to ${question} was refused, but counts.`,
    [asked(1), resolved(2, "a", refused), read(3, shows("a"))],
  ],
  [
    `A reader saw the answer "a" to ${question} before it was given.`,
    [asked(1), read(2, shows("a")), resolved(3, "a")],
  ],
  [
    `A reader saw ${question} as pending after another reader saw its answer.`,
    [...[asked(1), resolved(2, "a", unknown), read(3, shows("a")), read(4)]],
  ],
  [
    `A reader saw ${question} as pending with an answer, or as resolved without.`,
    [...[asked(1), resolved(2, "a"), read(3, { ...shows("a"), note: undefined })]],
  ],
  [`A reader saw ${question} as pending after the answer "a" was acknowledged.`, [asked(1), resolved(2, "a"), read(3)]],
  [
    `The answer "a" to ${question} was acknowledged, but another one counts.`,
    [...[asked(1), resolved(2, "a"), resolved(2, "b", unknown), read(3, shows("b"))]],
  ],
  [`The held answer "a" to ${question} is lost.`, [asked(1), answered(2, "a", { ...ok, held: true }), read(30)]],
  [
    `The answer "a" to ${question} was refused, although no other answer came first.`,
    [...[asked(1), resolved(2, "a", refused), read(3)]],
  ],
  [
    `The repeated answer "a" to ${question} was refused, although it is the one that counts.`,
    [asked(1), resolved(2, "a", { ...unknown, status: 409 }), read(3, shows("a"))],
  ],
  [
    `The answer "a" to ${question} was undone, but counts.`,
    [...[asked(1), answered(2, "a", { ...ok, held: true }), undone(3), read(10, shows("a"))]],
  ],
  [
    `The default of ${question} was recorded before its deadline.`,
    [
      asked(1, { terms: { deadline: 11_000, defaultOption: "no" } }),
      read(12, shows("Deadline passed", { resolvedBy: "api", optionId: "no", resolvedAt: 9_000 })),
    ],
  ],
  [
    `The default of ${question} was recorded before its deadline.`,
    [
      ...[asked(1, { terms: { deadline: 11_000, defaultOption: "no" } }), frozen(5), unfrozen(9)],
      read(16, shows("Deadline passed", { resolvedBy: "api", optionId: "no", resolvedAt: 12_000 })),
    ],
  ],
  [
    `The default of ${question} is not the one that the app set.`,
    [
      asked(1, { terms: { deadline: 11_000, defaultOption: "no" } }),
      read(12, shows("Deadline passed", { resolvedBy: "api", optionId: "yes", resolvedAt: 11_200 })),
    ],
  ],
  [
    `The answer "a" to ${question} was accepted after the deadline.`,
    [...[asked(1, { terms: { deadline: 11_000 } }), resolved(12, "a"), read(13, shows("a", { resolvedAt: 12_050 }))]],
  ],
  [
    `The deadline of ${question} passed, but its default is missing.`,
    [...[asked(1, { terms: { deadline: 11_000, defaultOption: "no" } }), read(40)]],
  ],
  [`The deadline of ${question} passed, but was not recorded.`, [asked(1, { terms: { deadline: 11_000 } }), read(40)]],
  [`The addition "x" to ${question} is one that nobody made.`, [asked(1), read(2, { ...pending, additions: ["x"] })]],
  [
    `The addition "x" to ${question} was refused, but counts.`,
    [...[asked(1), added(2, "x", refused), read(3, { ...pending, additions: ["x"] })]],
  ],
  [`${question} has an addition twice.`, [asked(1), added(2, "x"), read(3, { ...pending, additions: ["x", "x"] })]],
  [`The acknowledged addition "x" to ${question} is missing.`, [asked(1), added(2, "x"), read(3)]],
  [
    `The additions to ${question} are in the wrong order.`,
    [...[asked(1), added(2, "x"), added(3, "y"), read(4, { ...pending, additions: ["y", "x"] })]],
  ],
  [
    `The addition "x" to ${question} was accepted after the answer.`,
    [...[asked(1), resolved(2, "a"), read(3, shows("a")), added(4, "x")]],
  ],
  [
    `The owner's answer to ${question} counts, although the owner's page lacked the addition "x".`,
    [...[asked(1), added(2, "x"), answered(3, "a"), read(4, shows("a", { additions: ["x"] }))]],
  ],
  [
    `The answer to ${question} was used several times.`,
    [...[asked(1), answered(2, "a"), used(3, "k"), used(4, "l"), read(5, shows("a", { usedAt: 3 }))]],
  ],
  [
    `One use of the answer to ${question} has several receipts.`,
    [
      ...[
        asked(1),
        answered(2, "a"),
        used(3, "k"),
        used(4, "k", { receipt: "other" }),
        read(5, shows("a", { usedAt: 3 })),
      ],
    ],
  ],
  [
    `The answer to ${question} was used and withdrawn.`,
    [
      ...[asked(1), answered(2, "a"), used(3, "k"), withdrawn(3), read(5, shows("a", { usedAt: 3, withdrawnAt: 3 }))],
      events("list", submitted, told, event("approval.withdrawn")),
    ],
  ],
  [
    `The answer to ${question} was used, although the owner did not give it.`,
    [...[asked(1), resolved(2, "a"), used(3, "k"), read(5, shows("a", { usedAt: 3 }))]],
  ],
  [
    `A reader saw the used answer to ${question} as unused.`,
    [...[asked(1), answered(2, "a"), used(3, "k"), read(5, shows("a"))]],
  ],
  [
    `A reader saw a use of the answer to ${question} that nobody made.`,
    [...[asked(1), answered(2, "a"), read(5, shows("a", { usedAt: 3 }))]],
  ],
  [
    `A reader saw the withdrawn answer to ${question} as not withdrawn.`,
    [...[asked(1), answered(2, "a"), withdrawn(3), read(5, shows("a"))]],
  ],
  [
    `A reader saw a withdrawal of the answer to ${question} that nobody made.`,
    [...[asked(1), answered(2, "a"), read(5, shows("a", { withdrawnAt: 3 }))]],
  ],
  [
    `A use of the answer to ${question} was refused as used, although nothing came first.`,
    [...[asked(1), answered(2, "a"), used(3, "k", { ...refused, reason: "used" }), read(5, shows("a"))]],
  ],
  ['The operation "ask" succeeded while olive was frozen.', [frozen(1), asked(2), unfrozen(3), read(4)]],
  [
    "The question apr_1 was answered while olive was frozen.",
    [...[asked(1), frozen(2), resolved(2.05, "a", unknown), unfrozen(9), read(10, shows("a", { resolvedAt: 5_000 }))]],
  ],
  [
    "The reader list received the event approval.submitted apr_1 more than once.",
    [...[asked(1), events("list", submitted), events("list", submitted)]],
  ],
  [
    'The change "approval.submitted of apr_1" is in the feed more than once.',
    [...[asked(1), events("list", submitted, { ...submitted, id: "another" })]],
  ],
  [
    "The readers list and stream differ at event 1: approval.submitted of apr_1 and nothing.",
    [...[asked(1), events("list", submitted), events("stream")]],
  ],
  ['The acknowledged change "approval.submitted of apr_1" is not in the feed.', [asked(1), events("list")]],
  [
    `The answer to ${question} is not in the feed.`,
    [...[asked(1), resolved(2, "a", unknown), read(3, shows("a")), events("list", submitted)]],
  ],
  [
    `The feed has an answer to ${question}, which is pending.`,
    [...[asked(1), resolved(2, "a", unknown), read(3), events("list", submitted, told)]],
  ],
  [
    'The feed has "approval.submitted of apr_2", which nobody made.',
    [...[asked(1), events("list", submitted, event("approval.submitted", "apr_2"))]],
  ],
  [
    'The event "approval.submitted of apr_1" comes after "notification.pushed of ntf_n1", although its change came first.',
    [...[asked(1), pushed(2, "n1"), events("list", event("notification.pushed", "ntf_n1"), submitted)]],
  ],
  [
    'The event "approval.resolved of apr_1" comes before the event of an earlier step.',
    [...[asked(1), resolved(2, "a"), read(3, shows("a")), events("list", told, submitted)]],
  ],
  [
    "Webhooks about several events have the ID k.",
    [
      ...[asked(1), resolved(2, "a"), read(3, shows("a")), events("list", submitted, told)],
      ...[message(submitted, "k"), message(told, "k")],
    ],
  ],
  [
    'The webhook "approval.submitted of apr_1" arrived with several IDs.',
    [...[asked(1), events("list", submitted), message(submitted, "k"), message(submitted, "l")]],
  ],
  [
    "A webhook to olive has an invalid signature.",
    [...[asked(1), events("list", submitted), message(submitted, "k", false)]],
  ],
  [
    'The webhook "approval.resolved of apr_1" did not arrive.',
    [...[asked(1), resolved(2, "a"), read(3, shows("a")), events("list", submitted, told), message(submitted)]],
  ],
  [
    'The webhook "approval.submitted of apr_2" did not arrive.',
    [
      ...[asked(1), endpoint("apr_2"), events("list", submitted, later)],
      ...[asked(4, { id: "apr_2" }), message(submitted)],
    ],
  ],
  [
    'The webhook "approval.submitted of apr_2" did not arrive.',
    [
      ...[asked(1), events("list", submitted), message(submitted)],
      ...[asked(4, { id: "apr_2" }), events("list of paul", later)].map(ofPaul),
    ],
  ],
  [
    'The webhook "approval.resolved of apr_1" arrived, but its event is not in the feed.',
    [...[asked(1), events("list", submitted), message(submitted), message(told)]],
  ],
  ["The page inbox 1 lacked the pending question q1.", [asked(1), inbox(10, [], 1)]],
  ["The page inbox 1 showed the answered question q1.", [asked(1), resolved(2, "a"), inbox(10, ["q1"], 0)]],
  ["The page inbox 1 showed the question q9, which nobody asked.", [asked(1), inbox(10, ["q1", "q9"], 1)]],
  ["The page inbox 1 showed a question twice.", [asked(1), inbox(10, ["q1", "q1"], 1)]],
  [
    "The page inbox 1 showed the number 3 in its title instead of 1 to 1.",
    [asked(1), inbox(10, ["q1"], 3), inbox(11, ["q1"], 3)],
  ],
  ["The page inbox 1 lacked the pending question q1.", [asked(1), trouble(2, 4), inbox(10, [], 1)]],
  ["The page list 1 lacked the notification n1.", [pushed(1, "n1"), notifications(10, [])]],
  [
    "The page list 1 showed the notification n9, which nobody sent.",
    [pushed(1, "n1"), notifications(10, ["n1", "n9"])],
  ],
  ["The page list 1 showed a notification twice.", [pushed(1, "n1"), notifications(10, ["n1", "n1"])]],
  [
    'The operation "resolve" got 503 without Retry-After.',
    [asked(1), resolved(2, "a", { ...unknown, lacksRetryAfter: true }), read(3)],
  ],
  [
    'The operation "resolve" got the status 500: broken',
    [...[asked(1), resolved(2, "a", { ...unknown, status: 500, reason: "broken" }), read(3)]],
  ],
];

test.each(lies)("rejects a history: %s", (problem, history) => {
  expect(checkHistory(history).problems).toEqual([problem]);
});

test("gives a page more time while the machine does not respond", () => {
  const view = inbox(20, [], 1);
  const stalled = { ...view, began: { at: 20_000, free: 4_000 }, ended: { at: 20_100, free: 4_100 } } as Entry;
  expect(checkHistory([asked(1), stalled]).problems).toEqual([]);
});

test("keeps the verdict of a stored history", () => {
  for (const history of [...Object.values(truths), ...lies.map(([, history]) => history)])
    expect(checkHistory(fromLines(toLines(history)))).toEqual(checkHistory(history));
});
