import { exportActivity } from "@/lib/activity/activity";
import { asCsv, asJsonLines, csvHeader } from "@/lib/activity/activity-export";
import { readSettings } from "@/lib/owners/settings";
import { fileStream } from "@/lib/web/download-stream";
import { requireFreshOwner } from "@/lib/web/session";
import { filterFrom } from "../filter";

const forms = { csv: { head: csvHeader, write: asCsv }, jsonl: { head: "", write: asJsonLines } };

/** Exports the owner's activity as a file. */
export async function GET(request: Request): Promise<Response> {
  const { search, searchParams: query } = new URL(request.url);
  const owner = await requireFreshOwner(`/activity${search}`);
  const { timeZone } = await readSettings(owner);
  const pages = exportActivity(owner, filterFrom(query), { timeZone });
  return fileStream("countersign-activity", query.get("format"), forms, pages);
}
