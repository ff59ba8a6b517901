/**
 * A page of the documentation. `file` is its Markdown; the reference has none, because it is
 * derived from the operations.
 */
export type DocsPage = {
  id: string;
  title: string;
  /** The page's subject, in one sentence. */
  about: string;
  file?: string;
  /** The folders of `examples` whose files the page shows. */
  shows?: readonly string[];
  /** Its anchors from when the documentation was one page, like `/docs#webhooks`. */
  was?: readonly string[];
};

/** @param more the page's file, unless it is named after the ID, and other properties */
export const page = (
  id: string,
  title: string,
  about: string,
  more: Pick<DocsPage, "file" | "shows" | "was"> = {},
): DocsPage => ({ id, title, about, file: `docs/${id}.md`, ...more });

/** A page about an agent framework. */
export const framework = (id: string, title: string, about: string, ...shows: string[]): DocsPage =>
  page(id, title, about, { file: `docs/frameworks/${id}.md`, shows });
