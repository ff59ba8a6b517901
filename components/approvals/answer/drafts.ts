import { readFromTab, saveToTab } from "@/components/actions/tab-storage";

/** What the owner has typed and not sent yet, for this tab only; it survives a reload and signing in again. */
const key = (id: string) => `countersign.draft.${id}`;

export const readDraft = (id: string): Record<string, string | undefined> => readFromTab(key(id)) ?? {};

export const keepDraft = (id: string, field: string, text: string) =>
  saveToTab(key(id), { ...readDraft(id), [field]: text });

export const dropDraft = (id: string) => saveToTab(key(id), undefined);
