import type { FormAction } from "@/components/ui/action-form";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Thing, Things } from "@/components/ui/things";
import { LastUsed } from "@/components/ui/time/last-used";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { TokenSummary } from "@/lib/grants/schema";

/** The tokens that work now, each with a way to end it alone. */
export const TokenList = ({ action, tokens }: { action: FormAction; tokens: readonly TokenSummary[] }) => (
  <Things empty={<p className="text-muted">No valid tokens. The app may fetch a new one.</p>}>
    {tokens.map((token) => (
      <Thing
        key={token.id}
        name={
          <span>
            <bdi>{title(token)}</bdi> <span className="mono font-normal">…{token.last4}</span>
          </span>
        }
        about={
          <>
            <span className="mono">{token.scopes.join(" ")}</span> · made <TimeAgo at={token.createdAt} /> ·{" "}
            <LastUsed at={token.lastUsedAt} /> · ends <TimeAgo at={token.expiresAt} />
          </>
        }
        gone={`Revoked ${title(token)} …${token.last4}`}
      >
        <ConfirmButton
          action={action}
          fields={{ id: token.id }}
          label="Revoke"
          question={`Revoke ${title(token)} …${token.last4}?`}
          variant="secondary"
        >
          The next call with it is refused.
        </ConfirmButton>
      </Thing>
    ))}
  </Things>
);

const title = ({ kind, name }: TokenSummary) => name ?? (kind === "personal" ? "Personal token" : "App’s own token");
