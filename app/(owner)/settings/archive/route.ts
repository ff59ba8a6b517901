import { downloadArchive } from "@/lib/archive/archive";
import { textStream } from "@/lib/web/file-stream";
import { requireFreshOwner } from "@/lib/web/session";

/** Exports archived data, removed for its age, as a file. */
export const GET = async (): Promise<Response> =>
  textStream("countersign-archive", "jsonl", downloadArchive(await requireFreshOwner("/settings/data#archive")));
