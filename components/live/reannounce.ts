/**
 * Alters a message that repeats the previous one, because a live region announces only changed
 * text.
 */
export const reannounce = (words: string, before: string): string => (words === before ? `${words}\u00a0` : words);
