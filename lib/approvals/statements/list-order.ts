import { list as commas, type Sql, sql } from "@/lib/database/sql";
import { localHour } from "@/lib/text/local-time";
import { sectionOf, sections } from "../owner-view";

/*
 * Defines the order of an owner's lists. A page's cursor is the last approval of the previous page,
 * so each order also defines the cursor's position.
 */

/** An order's sort keys, and the same keys of the cursor's approval `c`. */
type Order = { keys: Sql[]; of: Sql; descends: boolean };

const byAge: Order = { keys: [sql`a.created_at`, sql`a.id`], of: sql`c.created_at, c.id`, descends: false };
const answeredLast: Order = {
  keys: [sql`a.resolved_at`, sql`a.id`],
  // If the cursor's approval has no answer, its creation time is the position.
  of: sql`coalesce(c.resolved_at, c.created_at), c.id`,
  descends: true,
};

/**
 * Returns the order of a list. By default, pending questions are ordered by section.
 * @param timeZone the owner's time zone, which defines when today began
 */
export function orderOf(list: string, sort: "newest" | "longest" | undefined, timeZone: string): Order {
  if (list === "answered") return answeredLast;
  if (list === "passed" || sort === "newest") return { ...byAge, descends: true };
  if (list !== "waiting" || sort === "longest") return byAge;
  const of = (approval: Sql) => urgency(approval, localHour(Date.now(), timeZone));
  return {
    keys: [...of(sql`a`), ...byAge.keys],
    of: sql`${commas(of(sql`c`))}, ${byAge.of}`,
    descends: false,
  };
}

/** Returns sort keys for the sections. Within `due`, the soonest deadline is first. */
function urgency(approval: Sql, today: number): Sql[] {
  const section = sectionOf(approval, today);
  return [
    sql`array_position(${sections}::text[], ${section})`,
    sql`CASE WHEN ${section} = 'due' THEN ${approval}.expires_at ELSE 'infinity' END`,
  ];
}
