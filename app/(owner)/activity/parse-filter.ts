import { ActivityFilter } from "@/lib/events/activity-schema";

/** Reads the filter from the query. Unknown values are ignored. */
export function filterFrom(query: URLSearchParams) {
  const read = (name: string) => query.get(name) || undefined;
  const parsed = ActivityFilter.parse({
    appId: read("app"),
    kind: read("kind"),
    subject: read("subject"),
    text: read("q"),
    from: read("from"),
    to: read("to"),
    before: read("before"),
  });
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined)) as typeof parsed;
}
