/** Returns the statements with this text, from a spy on the pool's `query`. */
export const statementsWith = (part: string, spy: { mock: { calls: readonly (readonly unknown[])[] } }): string[] =>
  spy.mock.calls
    .map(([query]) => onOneLine((query as { text?: string }).text ?? ""))
    .filter((text) => text.includes(part));

/** Returns a statement without line breaks, which are only layout. */
export const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
