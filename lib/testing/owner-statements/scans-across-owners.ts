/** One step of a plan, as `EXPLAIN (FORMAT JSON, VERBOSE)` describes it. */
export type PlanStep = {
  "Node Type": string;
  "Parent Relationship"?: string;
  "Join Type"?: string;
  "Subplan Name"?: string;
  "Relation Name"?: string;
  Alias?: string;
  Output?: string[];
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

type Scan = { table: string; fixed: Set<string>; known: boolean };
/** An equality of a scan's column with an expression, which may name columns of other scans. */
type Equality = { alias: string; column: string; needs: readonly string[] };
type Found = { scans: Map<string, Scan>; equalities: Equality[]; outputs: ReadonlyMap<string, readonly string[]> };

/**
 * Returns the tables that a plan reads without limiting the rows to one owner. A scan is limited if
 * the columns of a key equal values, or columns of scans that are limited themselves.
 * @param listsOfOneOwner whether a list of values, as in `id = ANY ($1)`, counts as one value,
 *   because a former statement for the same owner returned the values
 */
export function scansAcrossOwners(
  plan: PlanStep,
  tables: ReadonlyMap<string, TableKeys>,
  listsOfOneOwner = false,
): string[] {
  const found: Found = { scans: new Map(), equalities: [], outputs: new Map(outputsIn(plan)) };
  collect(listsOfOneOwner ? withoutLists(plan) : plan, found);
  const { scans, equalities } = found;
  const isKnown = (alias: string) => scans.get(alias)?.known ?? true;
  for (let changed = true; changed; ) {
    changed = false;
    for (const { alias, column, needs } of equalities) if (needs.every(isKnown)) scans.get(alias)?.fixed.add(column);
    for (const scan of scans.values()) {
      const keys = [["ctid"], ...(tables.get(scan.table)?.keys ?? [])];
      if (scan.known || !keys.some((columns) => columns.every((column) => scan.fixed.has(column)))) continue;
      scan.known = true;
      changed = true;
    }
  }
  return [...scans.values()]
    .filter(({ table, known }) => !known && tables.get(table)?.ofOwners)
    .map(({ table }) => table);
}

/** Returns the result columns of each named subquery of the plan. */
const outputsIn = (step: PlanStep): [string, string[]][] => [
  ...(step["Subplan Name"] ? [[step["Subplan Name"], step.Output ?? []] as [string, string[]]] : []),
  ...(step.Plans ?? []).flatMap(outputsIn),
];

/** Replaces comparisons with a list of values by equalities. */
const withoutLists = (plan: PlanStep): PlanStep =>
  JSON.parse(JSON.stringify(plan), (_, text) =>
    typeof text === "string" ? text.replaceAll(/ = ANY \(('\{[^{}']*\}'::\w+\[\])\)/g, " = $1") : text,
  );

/** The scans of a part of a plan, and the conditions that all its result rows satisfy. */
type Part = { aliases: readonly string[]; conditions: readonly string[] };
const noPart: Part = { aliases: [], conditions: [] };
const together = (parts: readonly Part[]): Part => ({
  aliases: parts.flatMap(({ aliases }) => aliases),
  conditions: parts.flatMap(({ conditions }) => conditions),
});

/** Collects the scans and equalities of a plan. */
function collect(step: PlanStep, found: Found): Part {
  const texts = [...scanConditions, ...joinConditions].flatMap((name) => step[name] ?? []);
  found.equalities.push(...[...texts, ...(step.Output ?? [])].flatMap((text) => hashedIn(text, found.outputs)));
  const sides = { Outer: noPart, Inner: noPart };
  const others: Part[] = [];
  for (const each of step.Plans ?? []) {
    const part = collect(each, found);
    const side = each["Parent Relationship"];
    if (side === "Outer" || side === "Inner") sides[side] = part;
    else others.push(part);
  }
  const own = scanIn(step, found);
  const { aliases } = together([own, sides.Outer, sides.Inner, ...others]);
  if (own.aliases.length > 0) limit(own, found);
  if (!step["Join Type"]) return { aliases, conditions: [...sides.Outer.conditions, ...own.conditions] };
  const limited = sidesLimitedBy(step["Join Type"]);
  const joined = together([...limited.map((side) => sides[side]), { aliases: [], conditions: texts }]);
  limit(joined, found);
  // An outer join keeps the rows of a side that satisfy the conditions of that side only.
  const kept = limited.length === 2 ? joined : limited[0] === "Inner" ? sides.Outer : sides.Inner;
  return { aliases, conditions: kept.conditions };
}

/** Returns a step's own scan, if it has one. */
function scanIn(step: PlanStep, { scans }: Found): Part {
  const table = step["Relation Name"];
  if (!table || !step["Node Type"].endsWith("Scan")) return noPart;
  const alias = step.Alias ?? table;
  scans.set(alias, { table: tableOfPart(table), fixed: new Set(), known: false });
  return { aliases: [alias], conditions: scanConditions.flatMap((name) => step[name] ?? []) };
}

/** Notes what a part's conditions state about its scans. */
const limit = ({ aliases, conditions }: Part, { equalities, outputs }: Found) =>
  equalities.push(...conditions.flatMap((condition) => equalitiesIn(condition, aliases, outputs)));

/** Returns the sides of a join whose rows its condition limits. An outer join keeps all of a side. */
function sidesLimitedBy(type: string): readonly ("Outer" | "Inner")[] {
  if (type === "Left" || type === "Anti") return ["Inner"];
  if (type === "Right" || type === "Right Anti") return ["Outer"];
  return type === "Full" ? [] : ["Outer", "Inner"];
}

/** The event log is partitioned by time. Its parts are `event_first` and `event_2026_11_1`. */
const tableOfPart = (name: string) => (/^event_(first|\d{4}_\d\d_\d+)$/.test(name) ? "event" : name);

const column = /^\(?(\w+)\.(\w+)\)?(?:::[a-z ]+)?$/;
/** Returns the aliases of the scans whose columns an expression contains. */
const aliasesIn = (expression: string) =>
  [...withoutTexts(expression).matchAll(/\b([a-z_]\w*)\.\w/g)].map(([, alias = ""]) => alias);

function equality(side: string, other: string): Equality[] {
  const [, alias, name] = column.exec(side) ?? [];
  const needs = aliasesIn(other);
  return alias && name && !needs.includes(alias) ? [{ alias, column: name, needs }] : [];
}

/** Returns the equalities that a condition states about the columns of these scans. */
function equalitiesIn(condition: string, aliases: readonly string[], outputs: Found["outputs"]): Equality[] {
  return conjuncts(condition)
    .flatMap((each) => {
      const [, left, right] = /^(.+?) = (?!ANY \(|ALL \()(.+)$/s.exec(withSubqueryColumns(each, outputs)) ?? [];
      return left && right ? [...equality(left, right), ...equality(right, left)] : [];
    })
    .filter(({ alias }) => aliases.includes(alias));
}

/** Rewrites a comparison with the rows of a subquery as an equality with its column. */
const withSubqueryColumns = (condition: string, outputs: Found["outputs"]) =>
  condition
    .replace(/^(\S+) = ANY \((\(InitPlan \d+\)\.col\d+)\)$/, "$1 = $2")
    .replace(/^ANY \((\S+ = \(hashed SubPlan \d+\)\.col\d+)\)$/, "$1")
    .replaceAll(
      /\((?:hashed )?((?:Init|Sub)Plan \d+)\)\.col(\d+)/g,
      (_, name, number) => outputs.get(name)?.[number - 1] ?? "",
    );

/**
 * PostgreSQL can read all rows of an EXISTS subquery into a hash table, and then look the outer
 * row's values up in it. Only the rows with these values matter.
 */
const hashedIn = (text: string, outputs: Found["outputs"]): Equality[] =>
  [...text.matchAll(/\(([\w.]+) = \(hashed (SubPlan \d+)\)\.col(\d+)\)/g)].flatMap(
    ([, value = "", name = "", number]) => equality(outputs.get(name)?.[Number(number) - 1] ?? "", value),
  );

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
