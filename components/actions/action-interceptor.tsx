"use client";
import { createContext, useContext } from "react";
import type { ActName } from "@/lib/web/owner-actions";

/** Does what a form within asks for; false where the form is to be sent as it is, and leads away from the page. */
export type ActionInterceptor = (act: ActName, form: FormData) => boolean;

const Performer = createContext<ActionInterceptor | undefined>(undefined);

/** Who does what the forms within ask for, where scripts run. */
export const InterceptActions = ({ by, children }: { by: ActionInterceptor; children: React.ReactNode }) => (
  <Performer value={by}>{children}</Performer>
);

export const useActionInterceptor = () => useContext(Performer);
