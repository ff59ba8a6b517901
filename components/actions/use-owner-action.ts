"use client";
import { useRouter } from "next/navigation";
import { startTransition, useActionState } from "react";
import type { ActionResult } from "@/lib/web/action-result";
import type { ActName, ActOutput } from "@/lib/web/owner-actions";
import { useActionInterceptor } from "./action-interceptor";
import { useFlash } from "./flash";
import { actionUrl, sendAction } from "./send";

const unreached = {
  ok: false as const,
  message: "The server didn’t respond. Check whether your change was saved before you try again.",
};

const here = () => window.location.pathname + window.location.search;

/**
 * Connects a form to an owner's action, with or without scripts. With scripts, the open page is
 * refreshed or the next one opens, unless the page handles actions itself (`InterceptActions`).
 * @param about which of the page's forms of that action (`useFlash`)
 */
export function useOwnerAction<Name extends ActName>(act: Name, about?: string) {
  const router = useRouter();
  const perform = useActionInterceptor();
  const said: ActionResult<ActOutput<Name>> | undefined = useFlash(act, about);
  const [result, send, pending] = useActionState(
    async (
      before: ActionResult<ActOutput<Name>> | null,
      form: FormData,
    ): Promise<ActionResult<ActOutput<Name>> | null> => {
      const reply = await sendAction(act, form).catch(() => unreached);
      if (!reply) return before;
      const next = reply.ok && "next" in reply ? reply.next : undefined;
      // The result shows together with the refreshed page.
      if (reply.ok)
        startTransition(() => (next === undefined || next === here() ? router.refresh() : router.push(next)));
      return reply;
    },
    said ?? null,
  );
  const onSubmit = (event: React.SubmitEvent<HTMLFormElement>) => {
    const form = new FormData(event.currentTarget, event.nativeEvent.submitter);
    event.preventDefault();
    if (!perform?.(act, form)) startTransition(() => send(form));
  };
  return { result, pending, to: { method: "post", action: actionUrl(act), onSubmit } };
}
