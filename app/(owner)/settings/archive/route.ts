import { downloadArchive } from "@/lib/archive/archive";
import { textStream } from "@/lib/web/download-stream";
import { requireFreshOwner } from "@/lib/web/session";

/** Exports archived data as a file. The retention period has removed this data from the tables. */
export const GET = async (): Promise<Response> =>
  textStream("countersign-archive", "jsonl", downloadArchive(await requireFreshOwner("/settings/data#archive")));
