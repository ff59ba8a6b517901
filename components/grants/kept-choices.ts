import { keep, readKept } from "@/components/acts/kept";

/** What was chosen on a consent form, kept in this tab while its owner signs in again. Nothing here decides anything. */
const keyOf = (id: string) => `countersign-consent-${id}`;

export function keepChoices(form: HTMLFormElement, id: string): void {
  const chosen = [...new FormData(form)].filter(([name]) => ["scope", "integration", "days"].includes(name));
  keep(keyOf(id), chosen);
}

/** Choose again what was kept, once. @returns whether anything was */
export function restoreChoices(form: HTMLFormElement, id: string): boolean {
  const chosen = readKept<[string, string][]>(keyOf(id));
  if (!chosen) return false;
  keep(keyOf(id), undefined);
  const has = (name: string, value: string) => chosen.some(([its, kept]) => its === name && kept === value);
  for (const box of form.querySelectorAll<HTMLInputElement>("[name=scope][type=checkbox], [name=integration]")) {
    box.checked = has(box.name, box.value);
  }
  const days = form.querySelector<HTMLSelectElement>("[name=days]");
  if (days) days.value = chosen.find(([name]) => name === "days")?.[1] ?? "";
  return true;
}
