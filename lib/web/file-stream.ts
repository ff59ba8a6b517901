/** A file in the making, in one of the two forms in which owners take their data along. */
export type FileForm<T> = { head: string; write: (items: readonly T[]) => string };

const types = { csv: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" };

/**
 * A download that is read from the database as fast as it is taken, and never whole in memory.
 * @param name of the file, without its ending
 */
export function fileStream<T>(
  name: string,
  format: keyof typeof types,
  { head, write }: FileForm<T>,
  pages: AsyncGenerator<T[]>,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (head) controller.enqueue(encoder.encode(head));
    },
    pull: async (controller) => {
      // A page without anything that fits is no end.
      for (;;) {
        const { done, value } = await pages.next();
        if (done) return controller.close();
        if (value.length > 0) return controller.enqueue(encoder.encode(write(value)));
      }
    },
    cancel: async () => {
      await pages.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": types[format],
      "content-disposition": `attachment; filename="${name}.${format}"`,
      ...{ "cache-control": "no-store", "x-content-type-options": "nosniff" },
    },
  });
}
