import { list as commas, type Sql, sql } from "@/lib/database/sql";
import { localHour } from "@/lib/text/local-time";
import { sectionOf, sections } from "../owner-view";

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
  const of = (approval: Sql) => urgency(approval, localHour(Date.now(), timeZone));
  return {
    keys: [...of(sql`a`), ...byAge.keys],
    of: sql`${commas(of(sql`c`))}, ${byAge.of}`,
    descends: false,
  };
}

/** By section; those with a near deadline, the soonest first. */
function urgency(approval: Sql, today: number): Sql[] {
  const section = sectionOf(approval, today);
  return [
    sql`array_position(${sections}::text[], ${section})`,
    sql`CASE WHEN ${section} = 'due' THEN ${approval}.expires_at ELSE 'infinity' END`,
  ];
}
