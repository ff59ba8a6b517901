/*
 * Replaces the polyfills of Next.js (see next.config.js). In the oldest browsers that Next.js
 * supports, only `URL.canParse` is missing.
 */
URL.canParse ??= (url, base) => {
  try {
    return Boolean(new URL(url, base));
  } catch {
    return false;
  }
};

export {};
