import { toReadableStream } from "@/lib/text/stream";

type FileForm<T> = { head: string; write: (items: readonly T[]) => string };

const types = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
};

/**
 * What owners take along, as a file that is read from the database as fast as it is taken, and never whole in memory.
 * @param name of the file, without its ending
 * @param asked "jsonl", or else it is CSV
 */
export function fileStream<T>(
  name: string,
  asked: unknown,
  forms: Record<"csv" | "jsonl", FileForm<T>>,
  pages: AsyncGenerator<T[]>,
): Response {
  const format = asked === "jsonl" ? "jsonl" : "csv";
  return textStream(name, format, written(forms[format], pages));
}

/** The same for what is text already, piece by piece. */
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
  // A page without anything that fits is no end.
  for await (const items of pages) if (items.length > 0) yield write(items);
}
