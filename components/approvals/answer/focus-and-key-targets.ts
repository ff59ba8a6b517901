"use client";

export const isInDecision = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest("[data-decision]") !== null;

/** Whether a key was pressed in a wide table or code block, in which arrow keys scroll. */
export const isInScrolled = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest("pre[tabindex], [role=group][tabindex]") !== null;

/** Expands a section and focuses its text box. */
export function openAndFocus(fold: HTMLDetailsElement | null) {
  if (!fold) return;
  fold.open = true;
  fold.querySelector("textarea")?.focus();
}

/** When a click opens a section, focuses the section's text box. */
export const focusOnOpen = (event: React.MouseEvent<HTMLElement>) => {
  const fold = event.currentTarget.closest("details");
  if (fold && !fold.open) requestAnimationFrame(() => fold.querySelector("textarea")?.focus());
};
