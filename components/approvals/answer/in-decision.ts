"use client";

/** Something in the open decision. */
export const find = <E extends HTMLElement>(which: string) => document.querySelector<E>(`[data-decision] ${which}`);

/** The button of its option at this place, from 0. */
export const optionAt = (place: number) =>
  [...document.querySelectorAll<HTMLButtonElement>("[data-decision] button[name=optionId]:not([data-confirm])")][place];

/** The folds of a decision by their keys: own words, a note, a question to the app. */
export type Fold = "o" | "n" | "q";

/** Open one of them, or go to its text box. */
export function unfold(key: Fold) {
  const summary = find(`summary[data-key=${key}]`);
  if (summary?.closest("details")?.open) summary.closest("details")?.querySelector("textarea")?.focus();
  else summary?.click();
}

/** For a fold's summary: whoever opens a text box wants to type in it. */
export const typeNext = (event: React.MouseEvent<HTMLElement>) => {
  const fold = event.currentTarget.closest("details");
  if (fold && !fold.open) requestAnimationFrame(() => fold.querySelector("textarea")?.focus());
};
