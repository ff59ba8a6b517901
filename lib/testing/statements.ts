/** The statements that contain this text, from a spy on the pool's `query`. */
export const statementsWith = (part: string, spy: { mock: { calls: readonly (readonly unknown[])[] } }): string[] =>
  spy.mock.calls.map(([query]) => (query as { text?: string }).text ?? "").filter((text) => text.includes(part));
