/**
 * The current time in epoch milliseconds with fractions, comparable between this process and the
 * browser.
 */
export const now = () => performance.timeOrigin + performance.now();

/** Runs in the page: clicks the first option. @returns the time of the click */
export const clickYes = () => {
  const at = performance.timeOrigin + performance.now();
  document.querySelector<HTMLButtonElement>("[data-decision] button[name=optionId]")?.click();
  return at;
};
