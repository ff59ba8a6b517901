// British English, because American English would add a comma before "and".
const conjunction = new Intl.ListFormat("en-GB");

/** Formats a list as text: "one, two and three". */
export const joinWords = (items: readonly string[]): string => conjunction.format(items);
