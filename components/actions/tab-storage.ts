/**
 * Reads a value that was saved in this tab. Saved values survive a new sign-in. Returns undefined
 * if there is none, or if storage is blocked.
 */
export function readFromTab<T>(key: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Saves a value in this tab, unless storage is full or blocked.
 * @param value undefined to delete it
 */
export function saveToTab(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Ignored, because a saved value only makes a reload or a new sign-in more convenient.
  }
}
