import { describe, expect, test } from "vitest";
import { everything } from "./item-state";
import { type Effect, nothingDone, type Reply, reduce, type Triage, type TriageEvent } from "./triage-state-machine";

/** A question as displayed, identified by its content hash. */
type Item = { hash: string };
type Event = TriageEvent<Item, string>;
type Without<T> = T extends unknown ? Omit<T, "now"> : never;

/**
 * A page's state after some events, with its requests and notices. The clock advances by a second
 * for each event.
 */
function aPage() {
  let state: Triage<Item, string> = nothingDone();
  let now = 0;
  const all: Effect<Item, string>[] = [];
  const page = {
    after(event: Without<Event>, ms = 1000) {
      now += ms;
      const reduced = reduce(state, { ...event, now } as Event);
      state = reduced.state;
      all.push(...reduced.effects);
      return reduced.effects;
    },
    send: (...ids: string[]) => page.after({ type: "send", items: ids.map(given), leftMs: 5000 }),
    undo: (...ids: string[]) => page.after({ type: "undo", items: ids.map(given) }),
    commit: (...ids: string[]) => page.after({ type: "commit", items: ids.map(given) }),
    replied: (request: number, reply: Reply<string>, ...ids: string[]) =>
      page.after({ type: "replied", request, replies: new Map(ids.map((id) => [id, reply])) }),
    failed: (request: number) => page.after({ type: "failed", request, message: "Lost" }),
    undone: (request: number, ...late: string[]) => page.after({ type: "undone", request, late }),
    phase: (id: string) => state.items.get(id)?.phase ?? "idle",
    state: () => state,
    /** The requests sent, in order. */
    requests: () => all.flatMap((it) => (it.type === "request" ? [it.request] : [])),
    told: () => all.flatMap((it) => (it.type === "tell" ? [it.news] : [])),
    words: () => all.filter(({ type }) => type === "keepWords" || type === "dropWords"),
  };
  return page;
}
const given = (id: string) => ({ id, item: { hash: `hash of ${id}` }, outcome: `yes to ${id}` });
const held: Reply<string> = { type: "held", outcome: "yes", leftMs: 5000 };
const done: Reply<string> = { type: "done", outcome: "yes" };
const beaten: Reply<string> = { type: "beaten", outcome: "no" };
const kinds = (page: ReturnType<typeof aPage>) => page.requests().map(({ number, kind }) => `${number} ${kind}`);

describe("requests for one item", () => {
  test("sends a request immediately if no other request for the item is pending", () => {
    const page = aPage();
    expect(page.send("a")).toMatchObject([{ type: "request", request: { number: 1, kind: "send", waits: false } }]);
    expect(page.phase("a")).toBe("sending");
    page.send("b");
    expect(kinds(page)).toEqual(["1 send", "2 send"]);
  });

  test("delays an undo until the server replies to the answer", () => {
    const page = aPage();
    page.send("a");
    expect(page.undo("a").some(({ type }) => type === "request")).toBe(false);
    expect(page.phase("a")).toBe("undoing");
    page.replied(1, held, "a");
    expect(kinds(page)).toEqual(["1 send", "2 undo"]);
    expect(page.phase("a")).toBe("undoing");
    page.undone(2);
    expect(page.phase("a")).toBe("undone");
  });

  test.each(["refused", "lost"])("sends an undo even if the answer was %s", () => {
    const page = aPage();
    page.send("a");
    page.undo("a");
    page.failed(1);
    expect(kinds(page)).toEqual(["1 send", "2 undo"]);
    page.undone(2);
    expect(page.phase("a")).toBe("undone");
    expect(page.told()).toEqual(["undone"]);
  });

  test("sends each of an item's actions only after the reply to the previous action", () => {
    const page = aPage();
    page.send("a");
    page.undo("a");
    page.send("a");
    page.replied(1, held, "a");
    expect(page.phase("a")).toBe("sending");
    page.undone(2);
    expect(page.phase("a")).toBe("sending");
    expect(kinds(page)).toEqual(["1 send", "2 undo", "3 send"]);
    page.replied(3, held, "a");
    expect(page.phase("a")).toBe("held");
  });

  test("delays a batch request until none of its items has a pending request", () => {
    const page = aPage();
    page.send("a");
    page.send("b");
    page.undo("a", "b");
    page.replied(2, held, "b");
    expect(kinds(page)).toEqual(["1 send", "2 send"]);
    page.send("c");
    page.replied(1, held, "a");
    expect(kinds(page)).toEqual(["1 send", "2 send", "4 send", "3 undo"]);
  });

  test("sends requests about one subject in sequence", () => {
    const page = aPage();
    const act = (id: string, ...about: string[]) =>
      page.after({ type: "send", items: [{ ...given(id), about }], leftMs: 0 });
    act("read 1", "row 1");
    act("read 2", "row 2");
    act("done 1", "row 1");
    expect(kinds(page)).toEqual(["1 send", "2 send"]);
    act("read all", everything);
    act("done 3", "row 3");
    page.replied(1, held, "read 1");
    expect(kinds(page)).toEqual(["1 send", "2 send", "3 send"]);
    page.failed(3);
    page.replied(2, held, "read 2");
    expect(kinds(page)).toEqual(["1 send", "2 send", "3 send", "4 send"]);
    page.replied(4, held, "read all");
    expect(kinds(page)).toEqual(["1 send", "2 send", "3 send", "4 send", "5 send"]);
  });

  test("sends all queued requests in order before the page unloads", () => {
    const page = aPage();
    page.send("a");
    page.undo("a");
    page.send("a");
    page.after({ type: "leave" });
    expect(kinds(page)).toEqual(["1 send", "2 undo", "3 send"]);
    // The page did not unload, so each reply still finds its request.
    page.replied(1, held, "a");
    page.undone(2);
    expect(page.phase("a")).toBe("sending");
    page.replied(3, held, "a");
    expect(page.phase("a")).toBe("held");
    expect(kinds(page)).toHaveLength(3);
  });
});

describe("repeated answers and replies", () => {
  test.each(["sending", "held", "done", "beaten"] as const)("ignores a second answer in the phase “%s”", (phase) => {
    const page = aPage();
    page.send("a");
    if (phase !== "sending") page.replied(1, { held, done, beaten }[phase], "a");
    expect(page.phase("a")).toBe(phase);
    const before = page.state();
    expect(page.send("a")).toEqual([]);
    expect(page.state()).toBe(before);
  });

  test("omits an answered item from a batch request", () => {
    const page = aPage();
    page.send("a");
    page.send("a", "b");
    expect(page.requests()[1]?.items.map(({ id }) => id)).toEqual(["b"]);
  });

  test("keeps a failed answer until the owner answers again", () => {
    const page = aPage();
    page.send("a");
    page.failed(1);
    page.after({ type: "listed", list: new Map([["a", { type: "listed open" }]]) }, 60_000);
    expect(page.phase("a")).toBe("failed");
    expect(kinds(page)).toEqual(["1 send"]);
    page.send("a");
    expect(kinds(page)).toEqual(["1 send", "2 send"]);
  });

  test("sends only one undo for an answer", () => {
    const page = aPage();
    page.send("a");
    page.replied(1, held, "a");
    page.undo("a");
    page.undo("a");
    page.commit("a");
    expect(kinds(page)).toEqual(["1 send", "2 undo"]);
  });

  test("ignores a reply that belongs to no pending request", () => {
    const page = aPage();
    page.send("a");
    page.undo("a");
    const before = page.state();
    expect(page.replied(7, held, "a")).toEqual([]);
    // An earlier request is still pending.
    expect(page.undone(2)).toEqual([]);
    expect(page.state()).toBe(before);
    page.replied(1, held, "a");
    const after = page.state();
    expect(page.replied(1, done, "a")).toEqual([]);
    expect(page.state()).toBe(after);
  });
});

test("sends each request with the content that was displayed", () => {
  const page = aPage();
  page.send("a");
  page.undo("a");
  page.after({ type: "listed", list: new Map([["a", { type: "listed open" }]]) });
  page.replied(1, held, "a");
  for (const { items } of page.requests()) expect(items).toEqual([given("a")]);
});

describe("typed words", () => {
  test("restores typed words only for rejected items of a batch", () => {
    const page = aPage();
    page.send("a", "b");
    page.after({
      type: "replied",
      request: 1,
      replies: new Map<string, Reply<string>>([
        ["a", held],
        ["b", { type: "refused", message: "It changed" }],
      ]),
    });
    expect(page.words()).toEqual([
      { type: "dropWords", id: "a" },
      { type: "keepWords", id: "b", outcome: "yes to b" },
    ]);
    expect([page.phase("a"), page.phase("b")]).toEqual(["held", "failed"]);
  });

  test("keeps typed words after an undo until the answer is final", () => {
    const page = aPage();
    page.send("a");
    page.undo("a");
    page.replied(1, done, "a");
    expect(page.words()).toEqual([{ type: "keepWords", id: "a", outcome: "yes to a" }]);
    page.undone(2, "a");
    expect(page.words().at(-1)).toEqual({ type: "dropWords", id: "a" });
    expect(page.told()).toEqual(["too late"]);
    expect(page.phase("a")).toBe("done");
  });
});

describe("failed, late or delayed actions", () => {
  test("keeps holding an answer when its undo fails", () => {
    const page = aPage();
    page.send("a");
    page.undo("a");
    page.replied(1, held, "a");
    page.failed(2);
    expect(page.phase("a")).toBe("held");
    expect(page.told()).toEqual(["not undone"]);
  });

  test("reports a late undo of several items in one message", () => {
    const page = aPage();
    page.undo("a", "b", "c");
    page.undone(1, "a", "b");
    expect(page.told()).toEqual(["undone", "too late"]);
    expect(["a", "b", "c"].map(page.phase)).toEqual(["idle", "idle", "undone"]);
  });

  test("keeps holding an answer when a “send now” request fails", () => {
    const page = aPage();
    page.send("a");
    page.replied(1, held, "a");
    page.commit("a");
    expect(page.failed(2)).toMatchObject([{ type: "tell", news: "not committed", message: "Lost" }]);
    expect(page.phase("a")).toBe("held");
  });

  test("delays a “send now” request until the server replies to the answer", () => {
    const page = aPage();
    page.send("a");
    page.commit("a");
    page.replied(1, held, "a");
    expect(kinds(page)).toEqual(["1 send", "2 commit"]);
    page.after({ type: "committed", request: 2 });
    expect(page.state().requests).toEqual([]);
    page.after({ type: "listed", list: new Map([["a", { type: "ended", outcome: "yes" }]]) });
    expect(page.phase("a")).toBe("done");
  });
});

describe("applying a list from the server", () => {
  test("applies an answer's outcome from the server's list to held and failed answers", () => {
    const page = aPage();
    page.send("a");
    page.send("b");
    page.replied(1, held, "a");
    page.failed(2);
    page.after({
      type: "listed",
      list: new Map([
        ["a", { type: "overtaken", outcome: "no" }],
        ["b", { type: "ended", outcome: "yes" }],
      ]),
    });
    expect([page.phase("a"), page.phase("b")]).toEqual(["beaten", "done"]);
    expect(page.told()).toEqual(["held", "failed", "beaten", "after all"]);
  });

  test("keeps pending requests when a list arrives", () => {
    const page = aPage();
    page.send("a");
    page.send("b");
    page.undo("b");
    const before = page.state();
    page.after({ type: "listed", list: new Map() }, 60_000);
    expect(page.state()).toBe(before);
  });
});

test("resets only the given items to idle", () => {
  const page = aPage();
  page.send("a");
  page.send("b");
  page.failed(1);
  page.after({ type: "forget", ids: ["a"] });
  expect([page.phase("a"), page.phase("b")]).toEqual(["idle", "sending"]);
});

describe("open item", () => {
  const shown = (id?: string) => ({ type: "shown" as const, id, item: id === undefined ? undefined : given(id).item });

  test("closes the open item when another item opens", () => {
    const page = aPage();
    page.after(shown("a"));
    expect(page.phase("a")).toBe("reading");
    page.after(shown("b"));
    expect([page.phase("a"), page.phase("b")]).toEqual(["idle", "reading"]);
    page.after(shown());
    expect(page.state().items.size).toBe(0);
  });

  test("keeps the result of an open item that was answered elsewhere", () => {
    const page = aPage();
    page.after(shown("a"));
    const ended = { type: "overtaken" as const, outcome: "no" };
    page.after({
      type: "listed",
      list: new Map([
        ["a", ended],
        ["b", ended],
      ]),
    });
    page.after(shown());
    expect([page.phase("a"), page.phase("b")]).toEqual(["beaten", "idle"]);
    expect(page.told()).toEqual(["beaten"]);
  });

  test("marks another page's superseded answer as read after the owner views the item", () => {
    const page = aPage();
    const missed = () => page.after({ type: "missed", items: [given("a"), given("b")] });
    const read = () => [...page.state().items.values()].map((it) => it.phase === "beaten" && it.read);
    missed();
    expect(read()).toEqual([false, false]);
    page.after({ type: "seen", ids: ["a"] });
    page.after(shown("b"));
    missed();
    expect(read()).toEqual([true, true]);
  });

  test("opens the next item only once after an answer's display time", () => {
    const page = aPage();
    page.after({ type: "send", items: [given("a")], leftMs: 5000, stayMs: 600 });
    expect(page.after({ type: "tick" }, 599)).toEqual([]);
    expect(page.after({ type: "tick" }, 1)).toEqual([{ type: "goOn", item: given("a").item }]);
    expect(page.after({ type: "tick" })).toEqual([]);
  });
});
