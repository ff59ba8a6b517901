"use client";
import { createContext, useContext } from "react";
import type { ActionName } from "@/lib/web/actions";

/**
 * Handles a form inside it; false if the form is to be submitted normally and leads to another
 * page.
 */
export type ActionInterceptor = (act: ActionName, form: FormData) => boolean;

const Performer = createContext<ActionInterceptor | undefined>(undefined);

/** Handles the forms inside it when scripts run. */
export const InterceptActions = ({
  interceptor,
  children,
}: {
  interceptor: ActionInterceptor;
  children: React.ReactNode;
}) => <Performer value={interceptor}>{children}</Performer>;

export const useActionInterceptor = () => useContext(Performer);
