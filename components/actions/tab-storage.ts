/** What this tab keeps of what was typed and chosen, also while its owner signs in again; nothing where storage is forbidden. */
export function readFromTab<T>(key: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Where storage is full nothing is kept, and it is typed again. @param value undefined to keep it no longer */
export function saveToTab(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // What cannot be kept stays in its field.
  }
}
