import { readFromTab, saveToTab } from "@/components/actions/tab-storage";

/**
 * The storage key of a question's unsent drafts. Drafts stay in this tab, and survive a reload and
 * a new sign-in.
 */
const key = (id: string) => `countersign.draft.${id}`;

export const readDraft = (id: string): Record<string, string | undefined> => readFromTab(key(id)) ?? {};

export const keepDraft = (id: string, field: string, text: string) =>
  saveToTab(key(id), { ...readDraft(id), [field]: text });

export const dropDraft = (id: string) => saveToTab(key(id), undefined);
