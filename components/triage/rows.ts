/*
 * The rows of a list that is read again and again while its owner works in it. Pure: who reads says what is in use, and
 * whether rows may move.
 */

export type Rows<Row> = {
  /** What the service listed last. */
  listed: readonly Row[];
  /** Those that have a place, in order, also where they are hidden or the list has them no more. */
  placed: readonly Row[];
  /** What arrived and is held back until the owner asks for it. */
  held: readonly Row[];
  /** What the owner has just done away with, and whether a list has come since that lacks it. */
  hidden: ReadonlyMap<string, "listed" | "gone">;
  /** What was brought back, and until when a list that lacks it was read before that. */
  restored: ReadonlyMap<string, number>;
};

/** What makes the lists different. */
export type RowRules<Row> = {
  idOf: (row: Row) => string;
  /** The same for a row and what takes its place later. */
  slotOf: (row: Row) => string;
  /** What was read, to be shown where `before` was. */
  place: (row: Row, before: Row | undefined) => Row;
  /** The order of the rows. Without it they stand as the service lists them, and what it lacks after what it stood after. */
  compare?: (one: Row, other: Row) => number;
  /** Whether it arrives above those that are shown, which may have to wait. */
  isAbove?: (row: Row, shown: readonly Row[]) => boolean;
};

export type Reading<Row> = {
  now: number;
  /** Whether a row that the list lacks stays, since the owner is at it. */
  stays: (row: Row) => boolean;
  /** Whether arrivals may move what is shown. */
  mayMove: boolean;
};

/** How long a list may be under way that was read before a row was brought back. */
const staleMs = 5000;

export const firstRows = <Row>(listed: readonly Row[], { place }: RowRules<Row>): Rows<Row> => ({
  listed,
  placed: listed.map((row) => place(row, undefined)),
  held: [],
  hidden: new Map(),
  restored: new Map(),
});

/** Those to show. */
export const shownRows = <Row>({ placed, hidden }: Rows<Row>, { idOf }: RowRules<Row>): Row[] =>
  placed.filter((row) => !hidden.has(idOf(row)));

/** The list was read again. What it has in the place of a row is shown there; what it lacks goes, unless it stays. */
export function readRows<Row>(
  state: Rows<Row>,
  listed: readonly Row[],
  rules: RowRules<Row>,
  { now, stays, mayMove }: Reading<Row>,
): Rows<Row> {
  const { idOf, slotOf, place, isAbove = () => false } = rules;
  const ids = new Set(listed.map(idOf));
  // Gone and listed again, it came back, and is like any other that arrives.
  const back = new Set([...state.hidden].flatMap(([id, as]) => (as === "gone" && ids.has(id) ? [id] : [])));
  const hidden = new Map(
    [...state.hidden.keys()].filter((id) => !back.has(id)).map((id) => [id, ids.has(id) ? "listed" : "gone"] as const),
  );
  const fresh = new Map(listed.filter((row) => !hidden.has(idOf(row))).map((row) => [slotOf(row), row]));
  const before = state.placed.filter((row) => !back.has(idOf(row)));
  const kept = before.flatMap((row) => {
    const id = idOf(row);
    if (hidden.has(id)) return [row];
    const read = fresh.get(slotOf(row));
    fresh.delete(slotOf(row));
    if (read) return [place(read, row)];
    return stays(row) || isRestored(state, id, now) ? [row] : [];
  });
  const shown = shownRows({ ...state, placed: before, hidden }, rules);
  const above = [...fresh.values()].filter((row) => shown.length > 0 && isAbove(row, shown));
  const held = mayMove ? [] : above;
  const added = [...fresh.values()].filter((row) => !held.includes(row)).map((row) => place(row, undefined));
  return { ...state, listed, held, hidden, placed: inOrder([...kept, ...added], { listed, before }, rules) };
}

type Places<Row> = { listed: readonly Row[]; before: readonly Row[] };

function inOrder<Row>(rows: Row[], { listed, before }: Places<Row>, { idOf, compare }: RowRules<Row>): Row[] {
  if (compare) return rows.sort(compare);
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  const ordered = listed.flatMap((row) => byId.get(idOf(row)) ?? []);
  for (const [at, was] of before.entries()) {
    const row = byId.get(idOf(was));
    if (!row || ordered.includes(row)) continue;
    const last = before[at - 1];
    const after = last && ordered.findIndex((it) => idOf(it) === idOf(last));
    ordered.splice(after === undefined ? 0 : after + 1 || ordered.length, 0, row);
  }
  return ordered;
}

/** The owner did away with these. */
export function hideRows<Row>(state: Rows<Row>, ids: readonly string[]): Rows<Row> {
  if (ids.length === 0) return state;
  const restored = new Map([...state.restored].filter(([id]) => !ids.includes(id)));
  return { ...state, restored, hidden: new Map([...state.hidden, ...ids.map((id) => [id, "listed"] as const)]) };
}

/** These are back, each in its place, unless something newer has taken it. */
export function restoreRows<Row>(
  state: Rows<Row>,
  these: readonly Row[],
  rules: RowRules<Row>,
  now: number,
): Rows<Row> {
  if (these.length === 0) return state;
  const { idOf, slotOf } = rules;
  const ids = new Set(these.map(idOf));
  const slots = new Set(shownRows(state, rules).map(slotOf));
  const hidden = new Map([...state.hidden].filter(([id]) => !ids.has(id)));
  const placed = state.placed.filter(
    (row) => !ids.has(idOf(row)) || !state.hidden.has(idOf(row)) || !slots.has(slotOf(row)),
  );
  const restored = new Map([...state.restored, ...[...ids].map((id) => [id, now + staleMs] as const)]);
  return { ...state, hidden, restored, placed };
}

/** Whether a list that lacks it may have been read before it was brought back. */
export const isRestored = ({ restored }: Pick<Rows<unknown>, "restored">, id: string, now: number): boolean =>
  now < (restored.get(id) ?? 0);

/** Show what was held back. */
export function revealRows<Row>(state: Rows<Row>, rules: RowRules<Row>): Rows<Row> {
  const added = state.held.map((row) => rules.place(row, undefined));
  const { listed, placed } = state;
  return { ...state, held: [], placed: inOrder([...added, ...placed], { listed, before: placed }, rules) };
}

/** Those that are shown though the list has them no more. */
export function departedRows<Row>(state: Rows<Row>, rules: RowRules<Row>): Row[] {
  const ids = new Set(state.listed.map(rules.idOf));
  return shownRows(state, rules).filter((row) => !ids.has(rules.idOf(row)));
}

/** Let these go. */
export const dropRows = <Row>(state: Rows<Row>, these: readonly Row[]): Rows<Row> =>
  these.length === 0 ? state : { ...state, placed: state.placed.filter((row) => !these.includes(row)) };

/** Change something about rows where they stand. */
export const changeRows = <Row>(state: Rows<Row>, change: (row: Row) => Row): Rows<Row> => ({
  ...state,
  placed: state.placed.map(change),
});
