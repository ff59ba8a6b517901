/** One step of a plan, as `EXPLAIN (FORMAT JSON, VERBOSE)` describes it. */
export type PlanStep = {
  "Node Type": string;
  "Parent Relationship"?: string;
  "Join Type"?: string;
  "Relation Name"?: string;
  Alias?: string;
  Plans?: PlanStep[];
} & { [condition in (typeof scanConditions)[number] | (typeof joinConditions)[number]]?: string };

const scanConditions = ["Index Cond", "Recheck Cond", "Filter", "TID Cond"] as const;
const joinConditions = ["Join Filter", "Hash Cond", "Merge Cond"] as const;

/** How the rows of a table are found. */
export type TableKeys = {
  /** Whether the rows belong to owners. The other tables belong to the service. */
  ofOwners: boolean;
  /**
   * The sets of columns whose values name rows of at most one owner: `owner_id`, the columns of a
   * unique index, or the ID of a parent row.
   */
  keys: readonly (readonly string[])[];
};

type Scan = { table: string; alias: string; fixed: Set<string>; known: boolean };
/** An equality of a scan's column with an expression, which may name columns of other scans. */
type Equality = { alias: string; column: string; needs: readonly string[] };

/**
 * Returns the tables that a plan reads without limiting the rows to one owner. A scan is limited if
 * the columns of a key equal values, or columns of scans that are limited themselves.
 */
export function scansAcrossOwners(plan: PlanStep, tables: ReadonlyMap<string, TableKeys>): string[] {
  const scans = new Map<string, Scan>();
  const equalities: Equality[] = [];
  collect(plan, scans, equalities);
  const isKnown = (alias: string) => scans.get(alias)?.known ?? true;
  for (let changed = true; changed; ) {
    changed = false;
    for (const { alias, column, needs } of equalities) if (needs.every(isKnown)) scans.get(alias)?.fixed.add(column);
    for (const scan of scans.values()) {
      const { keys = [] } = tables.get(scan.table) ?? {};
      if (scan.known || ![...keys, ["ctid"]].some((columns) => columns.every((column) => scan.fixed.has(column))))
        continue;
      scan.known = true;
      changed = true;
    }
  }
  return [...scans.values()]
    .filter(({ table, known }) => !known && tables.get(table)?.ofOwners)
    .map(({ table }) => table);
}

/** Collects the scans and equalities of a plan. @returns the aliases of its scans */
function collect(step: PlanStep, scans: Map<string, Scan>, equalities: Equality[]): string[] {
  const table = step["Relation Name"];
  const own = table && step["Node Type"].endsWith("Scan") ? (step.Alias ?? table) : undefined;
  if (table && own) {
    scans.set(own, { table: tableOfPart(table), alias: own, fixed: new Set(), known: false });
    for (const name of scanConditions) equalities.push(...equalitiesIn(step[name], [own]));
  }
  const sides = (step.Plans ?? []).map((each) => ({
    side: each["Parent Relationship"],
    aliases: collect(each, scans, equalities),
  }));
  const of = (side: string) => sides.filter((each) => each.side === side).flatMap(({ aliases }) => aliases);
  const limited = sidesLimitedBy(step["Join Type"]).flatMap(of);
  for (const name of joinConditions) equalities.push(...equalitiesIn(step[name], limited));
  return [...(own ? [own] : []), ...sides.flatMap(({ aliases }) => aliases)];
}

/** Returns the sides of a join whose rows its condition limits. An outer join keeps all of a side. */
function sidesLimitedBy(type: string | undefined): readonly ("Outer" | "Inner")[] {
  if (type === "Left" || type === "Anti") return ["Inner"];
  if (type === "Right" || type === "Right Anti") return ["Outer"];
  return type === undefined || type === "Full" ? [] : ["Outer", "Inner"];
}

/** The event log is partitioned by time. Its parts are `event_first` and `event_2026_11_1`. */
const tableOfPart = (name: string) => (/^event_(first|\d{4}_\d\d_\d+)$/.test(name) ? "event" : name);

const column = /^\(?(\w+)\.(\w+)\)?(?:::[a-z ]+)?$/;

/** Returns the equalities that a condition states about the columns of these scans. */
function equalitiesIn(condition: string | undefined, aliases: readonly string[]): Equality[] {
  return conjuncts(condition ?? "").flatMap((each) => {
    const [, left, right] = /^(.+?) = (?!ANY \(|ALL \()(.+)$/s.exec(withoutSubplan(each)) ?? [];
    if (left === undefined || right === undefined) return [];
    return [
      [left, right],
      [right, left],
    ].flatMap(([side = "", other = ""]) => {
      const [, alias = "", name = ""] = column.exec(side) ?? [];
      const needs = [...withoutTexts(other).matchAll(/\b([a-z_]\w*)\.\w/g)].map(([, needed = ""]) => needed);
      return aliases.includes(alias) && !needs.includes(alias) ? [{ alias, column: name, needs }] : [];
    });
  });
}

/**
 * Rewrites a comparison with the rows of a subquery as an equality, because the scans of the
 * subquery count by themselves. A comparison with a list of values stays as it is.
 */
const withoutSubplan = (condition: string) =>
  condition
    .replace(/^(\S+) = ANY \((\(InitPlan \d+\)\.\w+)\)$/, "$1 = $2")
    .replace(/^ANY \((\S+ = \(hashed SubPlan \d+\)\.\w+)\)$/, "$1");

/** Replaces the string literals of an expression, which may contain anything. */
const withoutTexts = (expression: string) => expression.replaceAll(/'(?:[^']|'')*'/g, "''");

/** Splits a condition at its outermost ANDs, and removes the parentheses around each part. */
export function conjuncts(condition: string): string[] {
  const parts: string[] = [];
  let [depth, start, quoted] = [0, 0, false];
  for (let at = 0; at < condition.length; at++) {
    const letter = condition[at];
    if (letter === "'") quoted = !quoted;
    if (quoted) continue;
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    if (depth === 0 && condition.startsWith(" AND ", at)) {
      parts.push(condition.slice(start, at));
      start = at + " AND ".length;
    }
  }
  parts.push(condition.slice(start));
  if (parts.length > 1) return parts.flatMap(conjuncts);
  return isWrapped(condition) ? conjuncts(condition.slice(1, -1)) : [condition];
}

/** Whether one pair of parentheses encloses the whole condition. */
function isWrapped(condition: string): boolean {
  const text = withoutTexts(condition);
  if (!text.startsWith("(") || !text.endsWith(")")) return false;
  let depth = 0;
  return [...text].every((letter, at) => {
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    return depth > 0 || at === text.length - 1;
  });
}
