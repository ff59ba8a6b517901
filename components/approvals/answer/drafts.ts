/** What the owner has typed and not sent yet, for this tab only; it survives a reload and signing in again. */
const key = (id: string) => `countersign.draft.${id}`;

export function readDraft(id: string): Record<string, string | undefined> {
  try {
    return JSON.parse(sessionStorage.getItem(key(id)) ?? "{}");
  } catch {
    return {};
  }
}

export function keepDraft(id: string, field: string, text: string): void {
  try {
    sessionStorage.setItem(key(id), JSON.stringify({ ...readDraft(id), [field]: text }));
  } catch {
    // Storage is full or forbidden: the text stays in the box.
  }
}

export function dropDraft(id: string): void {
  try {
    sessionStorage.removeItem(key(id));
  } catch {
    // Nothing was kept then.
  }
}
