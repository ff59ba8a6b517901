import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";
import { type DeclaredScope, ScopeFields } from "./scope-fields";

type DeclaredFormProps = { action: FormAction; clientId: string; scopes: readonly DeclaredScope[] };

/** Change what an app says it will ask for. */
export function DeclaredForm({ action, clientId, scopes }: DeclaredFormProps) {
  return (
    <ActionForm action={action} done="Saved. The next consent screen says it." className="grid max-w-2xl gap-4">
      <input type="hidden" name="clientId" value={clientId} />
      {/* Made anew when the saved state has changed, so that it starts from what is saved. */}
      <ScopeFields key={JSON.stringify(scopes)} scopes={scopes} />
      <div>
        <SubmitButton size="small">Save what it asks for</SubmitButton>
      </div>
    </ActionForm>
  );
}
