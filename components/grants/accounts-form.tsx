import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { SubmitButton } from "@/components/ui/submit-button";

type Account = { id: string; provider: string; email: string; label?: string };
type AccountsFormProps = {
  action: FormAction;
  clientId: string;
  accounts: readonly Account[];
  /** The ids of those it sees now. */
  shared: readonly string[];
};

/** Which linked accounts an app is told about. */
export function AccountsForm({ action, clientId, accounts, shared }: AccountsFormProps) {
  if (accounts.length === 0) return <p className="text-muted">You have linked no accounts, so it sees none.</p>;
  return (
    <ActionForm action={action} done="Saved. This applies from the app’s next call." className="grid gap-2">
      <input type="hidden" name="clientId" value={clientId} />
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
      <div>
        <SubmitButton size="small">Save what it sees</SubmitButton>
      </div>
    </ActionForm>
  );
}
