"use client";
import { createContext, useContext } from "react";
import type { ActionName } from "@/lib/web/action-registry";

/**
 * Handles a form inside `InterceptActions`. Returns false if the form must be submitted normally.
 */
export type ActionInterceptor = (act: ActionName, form: FormData) => boolean;

const Performer = createContext<ActionInterceptor | undefined>(undefined);

/**
 * Passes submissions of the forms in `children` to `interceptor`. Without scripts, forms are
 * submitted normally.
 */
export const InterceptActions = ({
  interceptor,
  children,
}: {
  interceptor: ActionInterceptor;
  children: React.ReactNode;
}) => <Performer value={interceptor}>{children}</Performer>;

export const useActionInterceptor = () => useContext(Performer);
