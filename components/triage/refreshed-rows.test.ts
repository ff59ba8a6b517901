import { describe, expect, test } from "vitest";
import {
  changeRows,
  departedRows,
  dropRows,
  firstRows,
  hideRows,
  type Reading,
  type RowRules,
  readRows,
  restoreRows,
  revealRows,
  saveRows,
  shownRows,
} from "./refreshed-rows";

/** "b2" is the second item in the slot b. */
type TestRow = { id: string; at: number; read?: boolean };
const asListed: RowRules<TestRow> = { idOf: ({ id }) => id, slotOf: ({ id }) => id[0] ?? "", place: (row) => row };
const newestFirst: RowRules<TestRow> = {
  ...asListed,
  place: (row, before) => ({ ...row, at: before?.at ?? row.at }),
  compare: (a, b) => b.at - a.at,
  isAbove: (row, shown) => shown.every(({ at }) => at < row.at),
};
const list = (...ids: string[]): TestRow[] => ids.map((id, place) => ({ id, at: 100 - place }));
const at = (id: string, time: number): TestRow => ({ id, at: time });

/** Creates a page with a list. */
function aPage(listed: TestRow[], rules = asListed) {
  let state = firstRows(listed, rules);
  const page = {
    read(
      rows: TestRow[],
      { now = 0, beganAt = now, stays = () => false, mayMove = true }: Partial<Reading<TestRow>> = {},
    ) {
      state = readRows(state, rows, rules, { now, beganAt, stays, mayMove });
      return page.shown();
    },
    hide: (...ids: string[]) => {
      state = hideRows(state, ids);
      return page.shown();
    },
    save: (now: number, ...ids: string[]) => {
      state = saveRows(state, ids, now);
    },
    restore: (now: number, ...ids: string[]) => {
      state = restoreRows(
        state,
        state.placed.filter(({ id }) => ids.includes(id)),
        rules,
        now,
      );
      return page.shown();
    },
    reveal: () => {
      state = revealRows(state, rules);
      return page.shown();
    },
    drop: (rows: TestRow[]) => {
      state = dropRows(state, rows);
      return page.shown();
    },
    mark: (read: boolean) => {
      state = changeRows(state, (row) => ({ ...row, read }));
    },
    rows: () => shownRows(state, rules),
    shown: () =>
      shownRows(state, rules)
        .map(({ id }) => id)
        .join(" "),
    held: () => state.held.map(({ id }) => id).join(" "),
    departed: () => departedRows(state, rules),
  };
  return page;
}

describe("hidden rows", () => {
  test("keeps a row hidden when an older list arrives", () => {
    const page = aPage(list("a", "b", "c"));
    expect(page.hide("b")).toBe("a c");
    expect(page.read(list("a", "b", "c"))).toBe("a c");
    expect(page.read(list("a", "c"))).toBe("a c");
    expect(page.departed()).toEqual([]);
  });

  test("treats a hidden row as new when the server lists it again", () => {
    const page = aPage(list("a", "b"), newestFirst);
    page.hide("b");
    page.read(list("a"));
    expect(page.read([at("b", 200), at("a", 100)])).toBe("b a");
    expect(page.rows()[0]).toEqual(at("b", 200));
  });

  test("restores a hidden row only from a list requested after the removal was saved", () => {
    const page = aPage(list("a", "b"));
    page.hide("b");
    expect(page.read(list("a", "b"), { now: 10, beganAt: 10 })).toBe("a");
    page.save(20, "b");
    expect(page.read(list("a", "b"), { now: 30, beganAt: 19 })).toBe("a");
    expect(page.read(list("a", "b"), { now: 40, beganAt: 21 })).toBe("a b");
  });

  test("returns a hidden row to its place after an undo", () => {
    const page = aPage(list("a", "b", "c"));
    page.hide("b");
    page.read(list("a", "c"));
    expect(page.restore(1000, "b")).toBe("a b c");
    expect(page.read(list("a", "c"), { now: 5999 })).toBe("a b c");
    expect(page.read(list("a", "b", "c"), { now: 6000 })).toBe("a b c");
    expect(page.read(list("a", "c"), { now: 6001 })).toBe("a c");
  });

  test("keeps a replaced row hidden after an undo", () => {
    const page = aPage(list("a", "b"));
    page.hide("b");
    expect(page.read(list("b2", "a"))).toBe("b2 a");
    expect(page.restore(0, "b")).toBe("b2 a");
  });

  test("hides a restored row when the row is removed again", () => {
    const page = aPage(list("a", "b"));
    page.hide("b");
    page.restore(0, "b");
    expect(page.hide("b")).toBe("a");
    expect(page.read(list("a"), { now: 1 })).toBe("a");
  });
});

describe("rows in use", () => {
  test("keeps a row in use in place after the server removes the row", () => {
    const page = aPage(list("a", "b", "c"));
    expect(page.read(list("a", "c"), { stays: ({ id }) => id === "b" })).toBe("a b c");
    expect(page.departed()).toEqual([at("b", 99)]);
    expect(page.drop(page.departed())).toBe("a c");
  });

  test("keeps each row in use directly below its previous neighbor", () => {
    const stays = () => true;
    const page = aPage(list("a", "b", "c"));
    expect(page.read(list("c", "b"), { stays })).toBe("a c b");
    expect(aPage(list("a", "b", "c")).read(list("c", "a"), { stays })).toBe("c a b");
  });

  test("removes an unused row when the next list omits the row", () => {
    expect(aPage(list("a", "b")).read(list("a"))).toBe("a");
  });
});

describe("arrivals", () => {
  const page = () => aPage([at("a", 2), at("b", 1)], newestFirst);
  const listed = [at("c", 3), at("a", 2), at("b", 1)];

  test("shows arrivals on top while rows may move", () => expect(page().read(listed)).toBe("c a b"));

  test("holds arrivals back while rows must not move", () => {
    const it = page();
    expect(it.read(listed, { mayMove: false })).toBe("a b");
    expect(it.held()).toBe("c");
    expect(it.read([at("d", 4), ...listed], { mayMove: false })).toBe("a b");
    expect(it.held()).toBe("d c");
    expect(it.reveal()).toBe("d c a b");
    expect(it.held()).toBe("");
  });

  test("shows arrivals immediately in an empty list or below other rows", () => {
    expect(aPage([], newestFirst).read(listed, { mayMove: false })).toBe("c a b");
    expect(page().read([at("a", 2), at("c", 1.5), at("b", 1)], { mayMove: false })).toBe("a c b");
  });

  test("puts a row's replacement in the row's place", () => {
    const it = page();
    it.mark(true);
    expect(it.rows().map(({ read }) => read)).toEqual([true, true]);
    expect(it.read([at("b2", 9), at("a", 2)], { mayMove: false })).toBe("a b2");
    expect(it.rows()).toEqual([at("a", 2), at("b2", 1)]);
  });
});
