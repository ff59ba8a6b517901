"use client";
import { createContext, useContext } from "react";
import type { ActionName, ActionOutput } from "@/lib/web/action-registry";
import type { ActionResult } from "@/lib/web/action-result";
import type { FlashMessage } from "@/lib/web/flash";

const FlashContext = createContext<FlashMessage | undefined>(undefined);

/** Provides the result of the form that led to this page, if the form was sent without scripts. */
export const FlashProvider = ({ flash, children }: { flash: FlashMessage | undefined; children: React.ReactNode }) => (
  <FlashContext value={flash}>{children}</FlashContext>
);

/**
 * The result of the form that led to this page, if the form was sent without scripts.
 * @param about the form's subject (`aboutOf`), to distinguish the page's forms for that action
 */
export function useFlash<Name extends ActionName>(act: Name, about = ""): ActionResult<ActionOutput<Name>> | undefined {
  const flash = useContext(FlashContext);
  const ours = flash?.act === act && flash.about === about;
  return ours ? (flash.result as ActionResult<ActionOutput<Name>>) : undefined;
}

/**
 * A form's subject, derived from its hidden fields. `targetOf` in lib/web/flash.ts derives the same
 * subject from the submitted form.
 */
export function aboutOf(fields: Partial<Record<string, string>> = {}): string | undefined {
  return fields.id ?? fields.ids ?? fields.setting ?? fields.clientId;
}

/** The flash, if the name of its action starts with `kind` and a dot. */
export function useFlashOf(kind: string): FlashMessage | undefined {
  const flash = useContext(FlashContext);
  return flash?.act.startsWith(`${kind}.`) ? flash : undefined;
}
