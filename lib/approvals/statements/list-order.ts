import { clock } from "@/lib/clock";
import { list as commas, type Sql, sql } from "@/lib/database/sql";
import { localHour } from "@/lib/text/local-time";
import { deadlineOf } from "../approval-state-sql";
import { sectionOf, sections } from "../owner-view";

/*
 * The order of an owner's lists. A page's cursor is the ID of the previous page's last approval, so
 * each order also defines where the cursor is.
 */

/** The sort keys of an order, and the same keys of the cursor's approval `c`. */
type Order = { keys: Sql[]; of: Sql; descends: boolean };

const byAge: Order = { keys: [sql`a.created_at`, sql`a.id`], of: sql`c.created_at, c.id`, descends: false };
const answeredLast: Order = {
  keys: [sql`a.resolved_at`, sql`a.id`],
  // If the cursor's approval has no answer, its creation time determines the position.
  of: sql`coalesce(c.resolved_at, c.created_at), c.id`,
  descends: true,
};

/**
 * Returns the order of a list. By default, pending questions are ordered by section.
 * @param timeZone the owner's time zone, which determines when the day began
 */
export function orderOf(list: string, sort: "newest" | "longest" | undefined, timeZone: string): Order {
  if (list === "answered") return answeredLast;
  if (list === "passed" || sort === "newest") return { ...byAge, descends: true };
  if (list !== "waiting" || sort === "longest") return byAge;
  const of = (approval: Sql) => urgency(approval, localHour(clock.now(), timeZone));
  return {
    keys: [...of(sql`a`), ...byAge.keys],
    of: sql`${commas(of(sql`c`))}, ${byAge.of}`,
    descends: false,
  };
}

/**
 * Returns the sort keys for the sections. In the section `due`, the approval with the nearest
 * deadline comes first.
 */
function urgency(approval: Sql, today: number): Sql[] {
  const section = sectionOf(approval, today);
  return [
    sql`array_position(${sections}::text[], ${section})`,
    sql`CASE WHEN ${section} = 'due' THEN ${deadlineOf(approval)} ELSE 'infinity' END`,
  ];
}
