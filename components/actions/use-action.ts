"use client";
import { useRouter } from "next/navigation";
import { startTransition, useActionState } from "react";
import type { ActionName } from "@/lib/web/action-registry";
import type { ActionError } from "@/lib/web/action-result";
import { useActionInterceptor } from "./action-interceptor";
import { useFlash } from "./flash-context";
import { type ActionReply, actionUrl, sendAction } from "./send-action";

const unreached = {
  ok: false as const,
  message: "The server didn’t respond. Check whether your change was saved before you try again.",
};

export type ActionOptions = {
  /** The URL that the form posts to, by default the action's own. */
  url?: string | undefined;
  /**
   * Completes the form in the browser before it is sent. Returns an error if the form can't be
   * sent.
   */
  prepare?: ((form: FormData) => Promise<ActionError | undefined>) | undefined;
  /**
   * Whether success loads the next page as a new document, because the session changes or the page
   * is on another site. The form stays pending until then.
   */
  leaves?: boolean | undefined;
};

const here = () => window.location.pathname + window.location.search;

/**
 * Connects a form to an action, with or without scripts. With scripts, success refreshes the page
 * or opens the next one, unless an interceptor handles the form (`InterceptActions`).
 * @param about the form's subject (`aboutOf`), to distinguish the page's forms for that action
 */
export function useAction<Name extends ActionName>(
  act: Name,
  about?: string,
  { url = actionUrl(act), prepare, leaves = false }: ActionOptions = {},
) {
  const router = useRouter();
  const intercept = useActionInterceptor();
  const flash: ActionReply<Name> | undefined = useFlash(act, about);
  const [result, send, pending] = useActionState(
    async (before: ActionReply<Name> | null, form: FormData): Promise<ActionReply<Name> | null> => {
      const stopped = await prepare?.(form);
      if (stopped) return stopped;
      const reply = await sendAction(act, form, { url }).catch(() => unreached);
      if (!reply) return before;
      const next = "redirectTo" in reply ? reply.redirectTo : undefined;
      if (reply.ok && leaves && next !== undefined) {
        window.location.assign(next);
        return new Promise(() => {});
      }
      // The result shows together with the refreshed page.
      if (reply.ok)
        startTransition(() => (next === undefined || next === here() ? router.refresh() : router.push(next)));
      return reply;
    },
    flash ?? null,
  );
  const onSubmit = (event: React.SubmitEvent<HTMLFormElement>) => {
    const form = new FormData(event.currentTarget, event.nativeEvent.submitter);
    event.preventDefault();
    // Forms with `prepare` or `leaves` bypass the interceptor, which supports neither.
    if (prepare || leaves || !intercept?.(act, form)) startTransition(() => send(form));
  };
  return { result, pending, to: { method: "post", action: url, onSubmit } };
}
