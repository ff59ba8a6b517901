import { operatorFile } from "@/lib/api/docs/docs-pages";
import { plainText } from "@/lib/api/docs/llms-and-robots";

export const dynamic = "force-dynamic";

/** Serves the configuration files that the operator pages link to. */
export async function GET(_: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const text = operatorFile((await params).name);
  return text === undefined ? plainText("Not found\n", "text/plain", 404) : plainText(text);
}
