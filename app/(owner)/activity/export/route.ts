import { exportActivity } from "@/lib/events/activity";
import { asCsv, asJsonLines, csvHeader } from "@/lib/events/activity-export";
import { readSettings } from "@/lib/owners/settings";
import { fileStream } from "@/lib/web/file-stream";
import { requireOwner } from "@/lib/web/session";
import { filterFrom } from "../filter";

const forms = { csv: { head: csvHeader, write: asCsv }, jsonl: { head: "", write: asJsonLines } };

/** The owner's activity as a file. */
export async function GET(request: Request): Promise<Response> {
  const owner = await requireOwner("/activity");
  const query = new URL(request.url).searchParams;
  const form = query.get("format") === "jsonl" ? "jsonl" : "csv";
  const { timeZone } = await readSettings(owner);
  return fileStream("countersign-activity", form, forms[form], exportActivity(owner, filterFrom(query), { timeZone }));
}
