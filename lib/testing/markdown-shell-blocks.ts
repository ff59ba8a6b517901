import { readFileSync } from "node:fs";

/** Returns a page's shell commands in order, each block with the heading above it. */
export function shellBlocks(path: string): { heading: string; commands: string }[] {
  let heading = "";
  const blocks: { heading: string; commands: string }[] = [];
  for (const [, title, indent = "", text] of readFileSync(path, "utf8").matchAll(
    /^#+ (.*)$|^( *)```sh\n([\s\S]*?)^ *```$/gm,
  )) {
    if (title !== undefined) heading = title;
    else blocks.push({ heading, commands: (text ?? "").replaceAll(new RegExp(`^${indent}`, "gm"), "") });
  }
  return blocks;
}
