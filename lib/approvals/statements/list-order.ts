import { list as commas, type Sql, sql } from "@/lib/database/sql";
import { dayOf, startOfDay } from "@/lib/text/local-time";

/*
 * Defines the order of an owner's lists. A page's cursor is the last approval of the previous page,
 * so each order also defines the cursor's position.
 */

/** An order's sort keys, and the same keys of the cursor's approval `c`. */
type Order = { keys: Sql[]; of: Sql; descends: boolean };

const byAge: Order = { keys: [sql`a.created_at`, sql`a.id`], of: sql`c.created_at, c.id`, descends: false };
const answeredLast: Order = {
  keys: [sql`a.resolved_at`, sql`a.id`],
  // An approval without an answer is placed by its creation time.
  of: sql`coalesce(c.resolved_at, c.created_at), c.id`,
  descends: true,
};

/**
 * Returns the order of a list. Pending questions are by default ordered by the list's sections.
 * @param timeZone the owner's time zone, which defines when today began
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
 * Returns sort keys for the list's sections: deadlines within a day, soonest first; high risks;
 * then today's questions and earlier ones.
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
