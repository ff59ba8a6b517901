"use client";

export const isInDecision = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest("[data-decision]") !== null;

/** A wide table or a line of code, which is read with the arrows too. */
export const isInScrolled = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest("pre[tabindex], [role=group][tabindex]") !== null;

/** Open a fold and go to its text box. */
export function openAndFocus(fold: HTMLDetailsElement | null) {
  if (!fold) return;
  fold.open = true;
  fold.querySelector("textarea")?.focus();
}

/** For a fold's summary: whoever opens a text box wants to type in it. */
export const focusOnOpen = (event: React.MouseEvent<HTMLElement>) => {
  const fold = event.currentTarget.closest("details");
  if (fold && !fold.open) requestAnimationFrame(() => fold.querySelector("textarea")?.focus());
};
