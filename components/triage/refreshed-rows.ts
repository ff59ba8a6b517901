/*
 * The rows of a list that is refreshed while the owner works in it. The functions are pure. Callers
 * say which rows are in use, and whether rows may move.
 */

export type Rows<Row> = {
  /** The latest list from the server. */
  listed: readonly Row[];
  /** The rows that have a position, in order, including hidden rows and rows that left the list. */
  placed: readonly Row[];
  /** New rows that are held back until the owner requests them. */
  held: readonly Row[];
  /** Rows that the owner removed on this page. */
  hidden: ReadonlyMap<string, Hidden>;
  /**
   * Restored rows, each with the time until which a list may still come from before the restore.
   */
  restored: ReadonlyMap<string, number>;
};

/**
 * A removed row. `gone` means that a list without the row has arrived since. `savedAt` is when the
 * server confirmed the removal. A later list with the row shows that the row came back.
 */
type Hidden = { gone: boolean; savedAt: number };

/** The rules that differ between lists. */
export type RowRules<Row> = {
  idOf: (row: Row) => string;
  /** An identity that a row shares with its later replacement. */
  slotOf: (row: Row) => string;
  /** Returns the refreshed row. If `before` is given, the row takes its position. */
  place: (row: Row, before: Row | undefined) => Row;
  /**
   * The order of the rows, by default the server's order. In that order, a row that left the list
   * stays after its former predecessor.
   */
  compare?: (a: Row, b: Row) => number;
  /** Whether a new row goes above the displayed rows, and so may be held back. */
  isAbove?: (row: Row, shown: readonly Row[]) => boolean;
};

export type Reading<Row> = {
  now: number;
  /** When the list was requested from the server. */
  beganAt: number;
  /** Whether a row that left the list stays, because the owner is using it. */
  stays: (row: Row) => boolean;
  /** Whether new rows may move displayed ones. */
  mayMove: boolean;
};

/** How long a list that was read before a restore may take to arrive, in milliseconds. */
const staleMs = 5000;

export const firstRows = <Row>(listed: readonly Row[], { place }: RowRules<Row>): Rows<Row> => ({
  listed,
  placed: listed.map((row) => place(row, undefined)),
  held: [],
  hidden: new Map(),
  restored: new Map(),
});

/** The rows to display. */
export const shownRows = <Row>({ placed, hidden }: Rows<Row>, { idOf }: RowRules<Row>): Row[] =>
  placed.filter((row) => !hidden.has(idOf(row)));

/**
 * Applies a refreshed list. A replacement takes the position of the row it replaces. A row that is
 * missing from the list is removed, unless `stays` returns true for it.
 */
export function readRows<Row>(
  state: Rows<Row>,
  listed: readonly Row[],
  rules: RowRules<Row>,
  { now, beganAt, stays, mayMove }: Reading<Row>,
): Rows<Row> {
  const { idOf, slotOf, place, isAbove = () => false } = rules;
  const ids = new Set(listed.map(idOf));
  // A removed row that is listed again counts as a new row.
  const isBack = ({ gone, savedAt }: Hidden) => gone || savedAt < beganAt;
  const back = new Set([...state.hidden].flatMap(([id, was]) => (ids.has(id) && isBack(was) ? [id] : [])));
  const hidden = new Map(
    [...state.hidden].flatMap(([id, was]) => (back.has(id) ? [] : [[id, { ...was, gone: !ids.has(id) }] as const])),
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
  for (const [index, was] of before.entries()) {
    const row = byId.get(idOf(was));
    if (!row || ordered.includes(row)) continue;
    const last = before[index - 1];
    const after = last && ordered.findIndex((it) => idOf(it) === idOf(last));
    ordered.splice(after === undefined ? 0 : after + 1 || ordered.length, 0, row);
  }
  return ordered;
}

/** Hides rows that the owner removed, before the server has confirmed the removal. */
export function hideRows<Row>(state: Rows<Row>, ids: readonly string[]): Rows<Row> {
  if (ids.length === 0) return state;
  const restored = new Map([...state.restored].filter(([id]) => !ids.includes(id)));
  const added = ids.map((id) => [id, { gone: false, savedAt: Number.POSITIVE_INFINITY }] as const);
  return { ...state, restored, hidden: new Map([...state.hidden, ...added]) };
}

/** Records that the server has confirmed the removal of rows. */
export function saveRows<Row>(state: Rows<Row>, ids: readonly string[], now: number): Rows<Row> {
  if (!ids.some((id) => state.hidden.has(id))) return state;
  const hidden = new Map([...state.hidden].map(([id, was]) => [id, ids.includes(id) ? { ...was, savedAt: now } : was]));
  return { ...state, hidden };
}

/** Restores removed rows to their positions, unless newer rows have taken these positions. */
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

/** Whether a list without the row may have been read before the row was restored. */
export const isRestored = ({ restored }: Pick<Rows<unknown>, "restored">, id: string, now: number): boolean =>
  now < (restored.get(id) ?? 0);

/** Shows the rows that were held back. */
export function revealRows<Row>(state: Rows<Row>, rules: RowRules<Row>): Rows<Row> {
  const added = state.held.map((row) => rules.place(row, undefined));
  const { listed, placed } = state;
  return { ...state, held: [], placed: inOrder([...added, ...placed], { listed, before: placed }, rules) };
}

/** The displayed rows that the latest list no longer contains. */
export function departedRows<Row>(state: Rows<Row>, rules: RowRules<Row>): Row[] {
  const ids = new Set(state.listed.map(rules.idOf));
  return shownRows(state, rules).filter((row) => !ids.has(rules.idOf(row)));
}

/** Removes rows. */
export const dropRows = <Row>(state: Rows<Row>, these: readonly Row[]): Rows<Row> =>
  these.length === 0 ? state : { ...state, placed: state.placed.filter((row) => !these.includes(row)) };

/** Changes rows in place. */
export const changeRows = <Row>(state: Rows<Row>, change: (row: Row) => Row): Rows<Row> => ({
  ...state,
  placed: state.placed.map(change),
});
