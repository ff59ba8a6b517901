"use client";
import { createContext, useContext } from "react";
import type { ActName, ActOutput } from "@/lib/web/owner-acts";
import type { ActionResult } from "@/lib/web/refusal";
import type { FormOutcome } from "@/lib/web/said";

const Heard = createContext<FormOutcome | undefined>(undefined);

/** Tells the page what became of the plain form that led to it. */
export const SaidHere = ({ said, children }: { said: FormOutcome | undefined; children: React.ReactNode }) => (
  <Heard value={said}>{children}</Heard>
);

/**
 * What became of a form that was sent without scripts, where it led to this page.
 * @param about which of the page's forms of that act: what its `id`, `ids` or `clientId` names
 */
export function useSaid<Name extends ActName>(act: Name, about = ""): ActionResult<ActOutput<Name>> | undefined {
  const said = useContext(Heard);
  const ours = said?.act === act && said.about === about;
  return ours ? (said.result as ActionResult<ActOutput<Name>>) : undefined;
}

/** The same of whichever act of this kind ("notification") it was. */
export function useSaidOf(kind: string): FormOutcome | undefined {
  const said = useContext(Heard);
  return said?.act.startsWith(`${kind}.`) ? said : undefined;
}
