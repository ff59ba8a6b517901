import { OwnerActionForm } from "@/components/actions/owner-action-form";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { OwnedItem, OwnedList } from "@/components/ui/owned-list";
import { LastUsed } from "@/components/ui/time/last-used";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { TokenSummary } from "@/lib/grants/schema";

/** `can`: what each opens, in the owner's words; empty for one that opens nothing any more. */
type TokenListProps = { tokens: readonly (TokenSummary & { can: string })[] };

/** The tokens that work now, each with a way to end it alone. */
export const TokenList = ({ tokens }: TokenListProps) => (
  <OwnedList empty={<p className="text-muted">No valid tokens. The app may fetch a new one.</p>}>
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
            {token.can ? `Can ${token.can}` : "Can do nothing now"} · created <TimeAgo at={token.createdAt} /> ·{" "}
            <LastUsed at={token.lastUsedAt} /> · ends <TimeAgo at={token.expiresAt} />
          </>
        }
        gone={`Revoked ${title(token)} …${token.last4}`}
      >
        <ConfirmButton
          act="token.revoke"
          fields={{ id: token.id }}
          label="Revoke"
          question={`Revoke ${title(token)} …${token.last4}?`}
          variant="secondary"
        >
          The next call with it is refused.
        </ConfirmButton>
      </OwnedItem>
    ))}
  </OwnedList>
);

const title = ({ kind, name }: TokenSummary) => name ?? (kind === "personal" ? "Personal token" : "App’s own token");

type Account = { id: string; provider: string; email: string; label?: string };
type AccountsFormProps = {
  clientId: string;
  accounts: readonly Account[];
  shared: readonly string[];
};

/** Which linked accounts an app is told about. */
export function AccountsForm({ clientId, accounts, shared }: AccountsFormProps) {
  if (accounts.length === 0) return <p className="text-muted">You have linked no accounts, so it sees none.</p>;
  return (
    <OwnerActionForm
      act="app.share-accounts"
      save="Save what it sees"
      fields={{ clientId }}
      done="Saved. This applies from the app’s next call."
      className="grid gap-2"
    >
      <div>
        {accounts.map(({ id, provider, email, label }) => (
          <Checkbox
            // A new box when the saved state has changed, so that it starts from what is saved.
            key={`${id}${shared.includes(id)}`}
            name="integrationIds"
            value={id}
            defaultChecked={shared.includes(id)}
            label={<bdi>{label ?? email}</bdi>}
            detail={label ? `${provider} · ${email}` : provider}
          />
        ))}
      </div>
    </OwnerActionForm>
  );
}
