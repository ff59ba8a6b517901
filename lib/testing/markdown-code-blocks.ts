import { readFileSync } from "node:fs";

/** `of` is the text after the language, as in "sh Python". */
export type CodeBlock = { heading: string; language: string; of: string; code: string };

/** Returns a page's code blocks in order, each with the heading above it. */
export function codeBlocks(path: string): CodeBlock[] {
  let heading = "";
  const blocks: CodeBlock[] = [];
  for (const [, title, language = "", of = "", code = ""] of readFileSync(path, "utf8").matchAll(
    /^#+ (.*)$|^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm,
  )) {
    if (title !== undefined) heading = title;
    else blocks.push({ heading, language, of, code });
  }
  return blocks;
}

/**
 * Returns the only code block in a language under a heading.
 * @throws if there is none, or more than one
 */
export function codeOf(path: string, language: string, heading: string): string {
  const found = codeBlocks(path).filter((block) => block.language === language && block.heading === heading);
  if (found.length !== 1) throw new Error(`${path} has ${found.length} blocks in ${language} under ${heading}`);
  return found[0]?.code ?? "";
}
