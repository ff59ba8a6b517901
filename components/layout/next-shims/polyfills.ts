/*
 * Replaces the polyfills of Next.js (see next.config.js). The oldest browsers that Next.js supports
 * have all of them but this.
 */
URL.canParse ??= (url, base) => {
  try {
    return Boolean(new URL(url, base));
  } catch {
    return false;
  }
};

export {};
