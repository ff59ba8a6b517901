import type { News } from "./item-state";

/** A notice for the owner about one item. */
export const tell = <Item>(news: News, { item }: { item: Item }) => ({
  type: "tell" as const,
  news,
  about: [{ item }],
});

/** A notice about one item, with the item's outcome. */
export const tellOutcome = <Item, Outcome>(news: News, { item }: { item: Item }, outcome: Outcome) => ({
  type: "tell" as const,
  news,
  about: [{ item, outcome }],
});

/** Discards the draft, because the server has the owner's text. */
export const dropWords = (id: string) => ({ type: "dropWords" as const, id });

/** The result has been displayed, so the next item may come into view. */
export const goOn = <Item>({ item }: { item: Item }) => ({ type: "goOn" as const, item });
