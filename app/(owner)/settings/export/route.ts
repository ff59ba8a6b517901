import { exportData } from "@/lib/owner-data/data-export";
import { textStream } from "@/lib/web/download-stream";
import { requireFreshOwner } from "@/lib/web/session";

/** Exports all of the owner's data as a file. */
export const GET = async (): Promise<Response> =>
  textStream("countersign-data", "json", exportData(await requireFreshOwner("/settings/data#export")));
