"use client";
import { createContext, useContext } from "react";
import type { ActionResult } from "@/lib/web/action-result";
import type { FlashMessage } from "@/lib/web/flash";
import type { ActName, ActOutput } from "@/lib/web/owner-actions";

const Said = createContext<FlashMessage | undefined>(undefined);

/** Tells the page what became of the plain form that led to it. */
export const FlashProvider = ({ said, children }: { said: FlashMessage | undefined; children: React.ReactNode }) => (
  <Said value={said}>{children}</Said>
);

/**
 * What became of a form that was sent without scripts, where it led to this page.
 * @param about which of the page's forms of that act (`aboutOf`)
 */
export function useFlash<Name extends ActName>(act: Name, about = ""): ActionResult<ActOutput<Name>> | undefined {
  const said = useContext(Said);
  const ours = said?.act === act && said.about === about;
  return ours ? (said.result as ActionResult<ActOutput<Name>>) : undefined;
}

/** What a form is about, by its hidden fields: as `targetOf` in lib/web/flash.ts, which reads the same of what was sent. */
export function aboutOf(fields: Partial<Record<string, string>> = {}): string | undefined {
  return fields.id ?? fields.ids ?? fields.setting ?? fields.clientId;
}

/** The same of whichever act of this kind ("notification") it was. */
export function useFlashOf(kind: string): FlashMessage | undefined {
  const said = useContext(Said);
  return said?.act.startsWith(`${kind}.`) ? said : undefined;
}
