import { toReadableStream } from "@/lib/text/to-readable-stream";

type FileForm<T> = { head: string; write: (items: readonly T[]) => string };

const types = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
  jws: "application/jose",
};

/**
 * Streams a file to the owner from the database, as fast as the client reads. The whole file is
 * never in memory.
 * @param name the file's name, without its extension
 * @param wanted "jsonl"; any other value means CSV
 */
export function fileStream<T>(
  name: string,
  wanted: unknown,
  forms: Record<"csv" | "jsonl", FileForm<T>>,
  pages: AsyncGenerator<T[]>,
): Response {
  const format = wanted === "jsonl" ? "jsonl" : "csv";
  return textStream(name, format, written(forms[format], pages));
}

/** Streams pieces of text to the owner as a file. */
export function textStream(name: string, format: keyof typeof types, pieces: AsyncGenerator<string>): Response {
  return new Response(toReadableStream(pieces), {
    headers: {
      "content-type": types[format],
      "content-disposition": `attachment; filename="${name}.${format}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

async function* written<T>({ head, write }: FileForm<T>, pages: AsyncGenerator<T[]>): AsyncGenerator<string> {
  if (head) yield head;
  // More pages may follow an empty page.
  for await (const items of pages) if (items.length > 0) yield write(items);
}
