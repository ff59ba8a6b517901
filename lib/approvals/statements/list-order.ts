import { list as commas, type Sql, sql } from "@/lib/database/sql";
import { dayOf, startOfDay } from "@/lib/text/local-time";

/*
 * The order in which an owner's questions are listed. A page's cursor is the approval before it, so
 * each order also says where that approval stands.
 */

/** An order's sort keys, and the same for the cursor's approval `c`. */
type Order = { keys: Sql[]; of: Sql; descends: boolean };

const byAge: Order = { keys: [sql`a.created_at`, sql`a.id`], of: sql`c.created_at, c.id`, descends: false };
const answeredLast: Order = {
  keys: [sql`a.resolved_at`, sql`a.id`],
  // An approval that was answered meanwhile, or not at all, is placed by its creation time.
  of: sql`coalesce(c.resolved_at, c.created_at), c.id`,
  descends: true,
};

/**
 * The order of a list. By default, the questions that are waiting have that of the list's sections.
 * @param timeZone the owner's, because "today" begins there
 */
export function orderOf(list: string, sort: "newest" | "longest" | undefined, timeZone: string): Order {
  if (list === "answered") return answeredLast;
  if (list === "passed" || sort === "newest") return { ...byAge, descends: true };
  if (list !== "waiting" || sort === "longest") return byAge;
  const dayBegan = startOfDay(dayOf(Date.now(), timeZone), timeZone);
  const of = (name: Sql) => urgency(name, dayBegan);
  return {
    keys: [...of(sql`a`), ...byAge.keys],
    of: sql`${commas(of(sql`c`))}, ${byAge.of}`,
    descends: false,
  };
}

/**
 * By the sections of the list: deadlines within a day, soonest first; high risks; then today's
 * questions and earlier ones.
 */
const urgency = (name: Sql, dayBegan: number): Sql[] => [
  sql`CASE
    WHEN ${name}.expires_at < now() + interval '1 day' THEN 0
    WHEN ${name}.risk = 'high' THEN 1
    WHEN ${name}.created_at >= to_timestamp(${dayBegan}::float8 / 1000) THEN 2
    ELSE 3
  END`,
  sql`CASE
    WHEN ${name}.expires_at < now() + interval '1 day' THEN ${name}.expires_at
    ELSE 'infinity'
  END`,
];
