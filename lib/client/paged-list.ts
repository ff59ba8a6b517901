/** One page when awaited; the items of this page and all following ones when iterated. */
export type PagedList<Page extends { data: readonly unknown[] }> = Promise<Page> & AsyncIterable<Page["data"][number]>;

/** @param read reads the page at a cursor; the first one without */
export function listing<Page extends { data: readonly unknown[]; nextCursor?: string | undefined }>(
  read: (cursor?: string) => Promise<Page>,
): PagedList<Page> {
  const first = read();
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let page = await first; ; page = await read(page.nextCursor)) {
        yield* page.data;
        if (page.nextCursor === undefined) return;
      }
    },
  });
}
