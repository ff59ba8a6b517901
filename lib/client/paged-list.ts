/**
 * A list of pages. `await` gets one page, and iteration gets the items of this page and of all
 * following pages.
 */
export type PagedList<Page extends { data: readonly unknown[] }> = Promise<Page> & AsyncIterable<Page["data"][number]>;

/**
 * Returns a list, and immediately reads its first page.
 * @param read reads the page at a cursor, or the first page if there is no cursor
 */
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
