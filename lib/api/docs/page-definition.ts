/**
 * A page of the documentation. `file` is its Markdown file. The reference page has no file, because
 * it is generated from the operations.
 */
export type DocsPage = {
  id: string;
  title: string;
  /** A sentence that states the page's subject. */
  about: string;
  file?: string;
  /** The folders in `examples` whose files the page shows. */
  shows?: readonly string[];
};

/**
 * Declares a page.
 * @param more other properties, such as `file` if the file is not named after the ID
 */
export const page = (
  id: string,
  title: string,
  about: string,
  more: Pick<DocsPage, "file" | "shows"> = {},
): DocsPage => ({ id, title, about, file: `docs/${id}.md`, ...more });

/** Declares a page about an agent framework. */
export const framework = (id: string, title: string, about: string, ...shows: string[]): DocsPage =>
  page(id, title, about, { file: `docs/frameworks/${id}.md`, shows });
