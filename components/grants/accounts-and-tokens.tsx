import { ActionForm } from "@/components/actions/action-form";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { OwnedItem, OwnedList } from "@/components/ui/owner-item-list";
import { LastUsed } from "@/components/ui/time/last-used";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { TokenSummary } from "@/lib/grants/schema";

/** `can` lists the token's permissions as text. It is empty if none are left. */
type TokenListProps = { tokens: readonly (TokenSummary & { can: string })[] };

/** The app's valid tokens, each with its own revoke button. */
export const TokenList = ({ tokens }: TokenListProps) => (
  <OwnedList empty={<p className="text-muted">No valid tokens. The app can request a new token.</p>}>
    {tokens.map((token) => (
      <OwnedItem
        key={token.id}
        name={
          <span>
            <bdi>{title(token)}</bdi> <span className="mono font-normal">…{token.last4}</span>
          </span>
        }
        about={
          <>
            {token.can ? `Can ${token.can}` : "No permissions left"} · created <TimeAgo at={token.createdAt} /> ·{" "}
            <LastUsed at={token.lastUsedAt} /> · expires <TimeAgo at={token.expiresAt} />
          </>
        }
        gone={`Revoked ${title(token)} …${token.last4}`}
      >
        <ConfirmButton
          act="token.revoke"
          fields={{ id: token.id }}
          label="Revoke"
          about={`${title(token)} …${token.last4}`}
          question={`Revoke ${title(token)} …${token.last4}?`}
          variant="secondary"
        >
          The token stops working immediately.
        </ConfirmButton>
      </OwnedItem>
    ))}
  </OwnedList>
);

const title = ({ kind, name }: TokenSummary) => name ?? (kind === "personal" ? "Personal token" : "Access token");

type Account = { id: string; provider: string; email: string; label?: string };
type AccountsFormProps = { clientId: string; accounts: readonly Account[]; shared: readonly string[] };

/** The form that selects the linked accounts an app may see. */
export function AccountsForm({ clientId, accounts, shared }: AccountsFormProps) {
  if (accounts.length === 0) return <p className="text-muted">No linked accounts yet.</p>;
  return (
    <ActionForm
      act="app.share-accounts"
      save="Save accounts"
      fields={{ clientId }}
      done="Accounts saved. The change applies from the app’s next request."
      className="grid gap-2"
    >
      <div>
        {accounts.map(({ id, provider, email, label }) => (
          <Checkbox
            // With a new key for each saved state, the box resets to that state.
            key={`${id}${shared.includes(id)}`}
            name="integrationIds"
            value={id}
            defaultChecked={shared.includes(id)}
            label={<bdi>{label ?? email}</bdi>}
            detail={label ? `${provider} · ${email}` : provider}
          />
        ))}
      </div>
    </ActionForm>
  );
}
