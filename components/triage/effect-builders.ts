import type { News } from "./item-state";

/** Returns a notice for the owner about one item. */
export const tell = <Item>(news: News, { item }: { item: Item }) => ({
  type: "tell" as const,
  news,
  about: [{ item }],
});

/** Returns a notice about one item, with the item's outcome. */
export const tellOutcome = <Item, Outcome>(news: News, { item }: { item: Item }, outcome: Outcome) => ({
  type: "tell" as const,
  news,
  about: [{ item, outcome }],
});

/** Returns the effect that discards the draft, because the server has the owner's text. */
export const dropWords = (id: string) => ({ type: "dropWords" as const, id });

/**
 * Returns the effect that reports that the result has been displayed, so that the next item may
 * come into view.
 */
export const goOn = <Item>({ item }: { item: Item }) => ({ type: "goOn" as const, item });
