import { ActionForm } from "@/components/actions/action-form";
import { Field, TextArea } from "@/components/ui/fields/field";
import { type DeclaredScope, ScopeFields } from "./scope-fields";

/** Edits the app's redirect URIs. */
export function RedirectsForm({ clientId, redirectUris }: { clientId: string; redirectUris: readonly string[] }) {
  return (
    <ActionForm
      act="app.change-redirects"
      save="Save redirect URIs"
      fields={{ clientId }}
      done="Redirect URIs saved"
      className="grid max-w-2xl gap-3"
    >
      <Field
        label="Redirect URIs"
        name="redirectUris"
        hint="Enter one URI per line. The redirect URI that the app sends must exactly match one line. On 127.0.0.1, the port can differ."
      >
        <TextArea
          key={redirectUris.join()}
          className="font-mono"
          defaultValue={redirectUris.join("\n")}
          spellCheck={false}
        />
      </Field>
    </ActionForm>
  );
}

/** Edits the scopes an app declares. */
export function DeclaredForm({ clientId, scopes }: { clientId: string; scopes: readonly DeclaredScope[] }) {
  return (
    <ActionForm
      act="app.declare-scopes"
      save="Save permissions"
      fields={{ clientId }}
      done="Permissions saved. The next consent screen shows the change."
      className="grid max-w-2xl gap-4"
    >
      {/* With a new key for each saved state, the fields reset to that state. */}
      <ScopeFields key={JSON.stringify(scopes)} scopes={scopes} />
    </ActionForm>
  );
}
