import { OwnerActionForm } from "@/components/actions/owner-action-form";
import { Field, TextArea } from "@/components/ui/fields/field";
import { type DeclaredScope, ScopeFields } from "./scope-fields";

type RedirectsFormProps = { clientId: string; redirectUris: readonly string[] };

/** Where the app may send the owner's browser back to. */
export function RedirectsForm({ clientId, redirectUris }: RedirectsFormProps) {
  return (
    <OwnerActionForm
      act="app.change-redirects"
      save="Save addresses"
      fields={{ clientId }}
      done="Saved."
      className="grid max-w-2xl gap-3"
    >
      <Field label="Redirect addresses" name="redirectUris" hint="One per line, compared exactly.">
        <TextArea
          key={redirectUris.join()}
          className="font-mono"
          defaultValue={redirectUris.join("\n")}
          spellCheck={false}
        />
      </Field>
    </OwnerActionForm>
  );
}

type DeclaredFormProps = { clientId: string; scopes: readonly DeclaredScope[] };

/** Change what an app says it will ask for. */
export function DeclaredForm({ clientId, scopes }: DeclaredFormProps) {
  return (
    <OwnerActionForm
      act="app.declare-scopes"
      save="Save what it asks for"
      fields={{ clientId }}
      done="Saved. The next consent screen shows it."
      className="grid max-w-2xl gap-4"
    >
      {/* Made anew when the saved state has changed, so that it starts from what is saved. */}
      <ScopeFields key={JSON.stringify(scopes)} scopes={scopes} />
    </OwnerActionForm>
  );
}
