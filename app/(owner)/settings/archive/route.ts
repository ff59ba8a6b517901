import { downloadArchive } from "@/lib/archive/archive";
import { textStream } from "@/lib/web/download-stream";
import { requireFreshOwner } from "@/lib/web/session";

/**
 * Exports the owner's archive as a file. The archive contains data that the tables no longer
 * contain.
 */
export const GET = async (): Promise<Response> =>
  textStream("countersign-archive", "jsonl", downloadArchive(await requireFreshOwner("/settings/data#archive")));
