import type { ActivityFilter } from "@/lib/events/schema";

/** The filters of the activity page as its address has them. */
export function activityQuery({ appId, kind, subject, text, from, to, before }: ActivityFilter): string {
  const given = { q: text, app: appId, kind, subject, from, to, before };
  return new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString();
}

/** The activity page, narrowed. */
export function activityAddress(filter: ActivityFilter): string {
  const query = activityQuery(filter);
  return query ? `/activity?${query}` : "/activity";
}
