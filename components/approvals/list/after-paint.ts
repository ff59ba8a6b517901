/** Do it once the browser has had the time to show what a key or click changed. Runs in a hidden page too. */
export const afterPaint = (work: () => void): void => {
  setTimeout(work);
};
