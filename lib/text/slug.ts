/** The anchor that code hosts generate for a heading. A repeated anchor gets a number. */
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
