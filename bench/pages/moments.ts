/** Now, in epoch milliseconds with their fractions: the same clock in this process and in the browser. */
export const now = () => performance.timeOrigin + performance.now();

/** In the page: click the first option. @returns when, on that clock */
export const clickYes = () => {
  const at = performance.timeOrigin + performance.now();
  document.querySelector<HTMLButtonElement>("[data-decision] button[name=optionId]")?.click();
  return at;
};
