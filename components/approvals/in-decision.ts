"use client";

/** Something in the open decision. */
export const find = <E extends HTMLElement>(which: string) => document.querySelector<E>(`[data-decision] ${which}`);

/** The button of its option at this place, from 0. */
export const optionAt = (place: number) =>
  [...document.querySelectorAll<HTMLButtonElement>("[data-decision] button[name=optionId]:not([data-confirm])")][place];

/** Open the fold of the answer in own words (o) or of the note (n), or go to its text box. */
export function unfold(key: "o" | "n") {
  const summary = find(`summary[data-key=${key}]`);
  if (summary?.closest("details")?.open) summary.closest("details")?.querySelector("textarea")?.focus();
  else summary?.click();
}
