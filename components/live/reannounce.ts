/**
 * Alters a message that repeats the previous one. A live region announces repeated text only if
 * something differs.
 */
export const reannounce = (words: string, before: string): string => (words === before ? `${words}\u00a0` : words);
