import { sealMismatch } from "@/lib/integrations/encrypt-wrong-account-email";
import { finishLink, type LinkOutcome } from "@/lib/integrations/link-account";
import { explain, failurePage, seeOther } from "@/lib/web/action-responses";
import { currentOwner } from "@/lib/web/session";

/**
 * The redirect URI for providers. It links an account only in the session that started the attempt,
 * and never signs anyone in. It redirects immediately, so that the code disappears from the URL.
 */
export async function GET(request: Request, { params }: { params: Promise<{ provider: string }> }): Promise<Response> {
  const { provider } = await params;
  try {
    const owner = await currentOwner();
    const outcome = owner
      ? await finishLink(owner, provider, new URL(request.url))
      : ({ kind: "failed", reason: "not_yours" } as const);
    return seeOther(pageOf(provider, outcome), { "referrer-policy": "no-referrer" });
  } catch (error) {
    return failurePage(explain(error), {
      title: "Couldn’t link the account",
      advice: "Go back to Integrations, then start over.",
    });
  }
}

function pageOf(provider: string, outcome: LinkOutcome): string {
  const { kind } = outcome;
  if (kind === "linked" || kind === "relinked")
    return `/integrations/${outcome.integrationId}?linked=${kind === "linked" ? "new" : "again"}`;
  const problem = kind === "failed" ? outcome.reason : kind;
  const about = kind === "other_account" ? `&account=${outcome.integrationId}&other=${sealMismatch(outcome)}` : "";
  return `/integrations/link/${encodeURIComponent(provider)}?problem=${problem}${about}`;
}
