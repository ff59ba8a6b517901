/*
 * Replaces the polyfills of Next.js (see next.config.js). Of these, the oldest browsers that
 * Next.js supports lack only `URL.canParse`.
 */
URL.canParse ??= (url, base) => {
  try {
    return Boolean(new URL(url, base));
  } catch {
    return false;
  }
};

export {};
