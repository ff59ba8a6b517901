import { exportActivity } from "@/lib/events/activity";
import { asCsv, asJsonLines, csvHeader } from "@/lib/events/activity-export";
import type { ActivityItem } from "@/lib/events/schema";
import { readSettings } from "@/lib/owners/settings";
import { requireOwner } from "@/lib/web/session";
import { filterFrom } from "../filter";

type Format = { type: string; head: string; write: (items: readonly ActivityItem[]) => string };
const formats: Record<string, Format> = {
  csv: { type: "text/csv; charset=utf-8", head: csvHeader, write: asCsv },
  jsonl: { type: "application/jsonl; charset=utf-8", head: "", write: asJsonLines },
};

/** The owner's activity as a file, read from the database as fast as it is taken. */
export async function GET(request: Request): Promise<Response> {
  const owner = await requireOwner("/activity");
  const query = new URL(request.url).searchParams;
  const name = query.get("format") === "jsonl" ? "jsonl" : "csv";
  const { type, head, write } = formats[name] as Format;
  const { timeZone } = await readSettings(owner);
  return new Response(stream(head, exportActivity(owner, filterFrom(query), { timeZone }), write), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="countersign-activity.${name}"`,
      ...{ "cache-control": "no-store", "x-content-type-options": "nosniff" },
    },
  });
}

function stream(head: string, pages: AsyncGenerator<ActivityItem[]>, write: Format["write"]) {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    pull: async (controller) => {
      const { done, value } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(write(value)));
    },
    cancel: async () => {
      await pages.return(undefined);
    },
  });
}
