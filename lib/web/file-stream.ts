/** A file in the making, in one of the two forms in which owners take their data along. */
export type FileForm<T> = { head: string; write: (items: readonly T[]) => string };

const types = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
};

/**
 * A download that is read from the database as fast as it is taken, and never whole in memory.
 * @param name of the file, without its ending
 */
export const fileStream = <T>(
  name: string,
  format: keyof typeof types,
  form: FileForm<T>,
  pages: AsyncGenerator<T[]>,
): Response => textStream(name, format, written(form, pages));

/** The same for what is text already, piece by piece. */
export function textStream(name: string, format: keyof typeof types, pieces: AsyncGenerator<string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
  return new Response(body, {
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
