/** Returns the anchor that code hosts generate for a heading. If it is taken, a number is added. */
export function slug(words: string, taken: ReadonlySet<string>): string {
  const plain = words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
  for (let count = 0; ; count++) {
    const id = count === 0 ? plain : `${plain}-${count}`;
    if (!taken.has(id)) return id;
  }
}
