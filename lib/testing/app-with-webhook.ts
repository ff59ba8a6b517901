import type { SessionOwner } from "@/lib/actor";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import type { Scope } from "@/lib/scopes";
import { configure } from "@/lib/testing/change-settings";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import type { NewEndpoint } from "@/lib/webhooks/schema";
import { anApp, anOwner, aTokenFor } from "./factories";

/** Sets the delays before attempts, in seconds, and the allowed local origins. */
export function sendingTo(origins: readonly string[], schedule = "0,0,0,0"): void {
  configure({ ALLOW_PRIVATE_FETCH: origins.join(" "), WEBHOOK_SCHEDULE: schedule });
}

const scopes: Scope[] = ["approvals:write", "approvals:read", "approvals:resolve"];

/**
 * Creates an app with a webhook and a token.
 * @param how `owner` is the owner who connects the app, by default its registrar
 */
export async function aHookedApp(
  url: string,
  { owner, ...how }: { owner?: SessionOwner & { session: string } } & Omit<NewEndpoint, "url"> = {},
) {
  const registrar = await anOwner();
  const { clientId, name } = await anApp(registrar);
  const actor = owner ?? registrar;
  const { app, token } = await aTokenFor(actor, clientId, scopes);
  const endpoint = await addEndpoint(registrar, clientId, { url, ...how });
  return {
    registrar,
    owner: actor,
    clientId,
    name,
    app,
    token,
    ...endpoint,
    ask: () => ask(app),
    answer: (id: string) => answer(actor, id),
  };
}

type App = Awaited<ReturnType<typeof aTokenFor>>["app"];
export const ask = async (app: App) =>
  (
    await submitApproval(
      { ...app, needs: "approvals:write" },
      { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] },
    )
  ).id;
export const answer = (owner: SessionOwner, id: string) =>
  resolveApproval(owner, id, { kind: "option", optionId: "yes" });
