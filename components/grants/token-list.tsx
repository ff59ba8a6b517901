import type { FormAction } from "@/components/ui/action-form";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { TimeAgo } from "@/components/ui/time-ago";
import type { TokenSummary } from "@/lib/grants/schema";

/** The tokens that work now, each with a way to end it alone. */
export function TokenList({ action, tokens }: { action: FormAction; tokens: readonly TokenSummary[] }) {
  if (tokens.length === 0) return <p className="text-muted">No token works now. The app may fetch a new one.</p>;
  return (
    <ul className="divide-y divide-line">
      {tokens.map((token) => (
        <li
          key={token.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5 sm:flex-nowrap"
        >
          <div className="min-w-0">
            <p className="font-medium">
              <bdi>{title(token)}</bdi> <span className="mono font-normal">…{token.last4}</span>
            </p>
            <p className="text-muted">
              <span className="mono">{token.scopes.join(" ")}</span> · made <TimeAgo at={token.createdAt} /> ·{" "}
              {token.lastUsedAt ? (
                <>
                  used <TimeAgo at={token.lastUsedAt} />
                </>
              ) : (
                "not used yet"
              )}{" "}
              · ends <TimeAgo at={token.expiresAt} />
            </p>
          </div>
          <ConfirmButton
            action={action}
            fields={{ id: token.id }}
            label="Revoke"
            question={`Revoke ${title(token)} …${token.last4}?`}
            variant="secondary"
          >
            The next call with it is refused.
          </ConfirmButton>
        </li>
      ))}
    </ul>
  );
}

const title = ({ kind, name }: TokenSummary) => name ?? (kind === "personal" ? "Personal token" : "App’s own token");
