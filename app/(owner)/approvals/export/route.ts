import { answersAsCsv, answersAsJsonLines, answersHeader } from "@/lib/approvals/answers-export";
import { exportApprovals } from "@/lib/approvals/search";
import { readSettings } from "@/lib/owners/settings";
import { fileStream } from "@/lib/web/download-stream";
import { requireFreshOwner } from "@/lib/web/session";
import { filterFrom } from "../search-params";

const forms = {
  csv: { head: answersHeader, write: answersAsCsv },
  jsonl: { head: "", write: answersAsJsonLines },
};

/** Exports the owner's filtered answers as a file. */
export async function GET(request: Request): Promise<Response> {
  const { search, searchParams } = new URL(request.url);
  const owner = await requireFreshOwner(`/approvals${search || "?status=resolved"}`);
  const { format, ...query } = Object.fromEntries(searchParams);
  const { timeZone } = await readSettings(owner);
  const filter = { ...filterFrom({ ...query, status: "resolved" }), after: undefined };
  return fileStream("countersign-answers", format, forms, exportApprovals(owner, filter, timeZone));
}
