/**
 * Reads a value that was saved in this tab. Saved values survive a sign-in. Returns undefined if
 * there is no value, or if storage is blocked.
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
 * @param value the value to save; undefined deletes the saved value
 */
export function saveToTab(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Ignores the failure, because a saved value is only a convenience after a reload or a sign-in.
  }
}
