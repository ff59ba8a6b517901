import { downloadArchive } from "@/lib/archive/archive";
import { textStream } from "@/lib/web/download-stream";
import { requireFreshOwner } from "@/lib/web/session";

/**
 * Serves the owner's archive as a file. The archive includes data that the database's tables no
 * longer contain.
 */
export const GET = async (): Promise<Response> =>
  textStream("countersign-archive", "jsonl", downloadArchive(await requireFreshOwner("/settings/data#archive")));
