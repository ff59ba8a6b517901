import type { ActivityItem } from "@/lib/events/activity-schema";
import { csvLine } from "@/lib/text/csv";

/** Returns the event in one plain sentence. */
export const plainSentence = ({ sentence, app }: Pick<ActivityItem, "sentence" | "app">): string =>
  sentence.replaceAll("{app}", () => app?.name ?? "An app");

type ExportedRow = Record<string, string>;

const row = (item: ActivityItem): ExportedRow => ({
  time: new Date(item.at).toISOString(),
  actor: item.actor,
  what: plainSentence(item),
  about: item.about ?? "",
  kind: item.kind,
  type: item.type,
  app: item.app?.name ?? "",
  app_id: item.app?.appId ?? "",
  subject: item.subject,
  facts: item.facts.join(" "),
  id: item.id,
});

/** Formats events as one JSON object per line (JSON Lines). */
export const asJsonLines = (items: readonly ActivityItem[]): string =>
  items.map((item) => `${JSON.stringify({ ...row(item), data: item.data })}\n`).join("");

/** The header line with the column names. */
export const csvHeader = "time,actor,what,about,kind,type,app,app_id,subject,facts,id\r\n";

export const asCsv = (items: readonly ActivityItem[]): string =>
  items.map((item) => csvLine(Object.values(row(item)))).join("");
