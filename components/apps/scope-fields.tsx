import { Checkbox } from "@/components/ui/fields/checkbox";
import { Field, TextInput } from "@/components/ui/fields/field";
import { WarningIcon } from "@/components/ui/icons";

/** One scope with the app's stated purpose. */
export type DeclaredScope = {
  scope: string;
  sentence: string;
  sensitive: boolean;
  requested: boolean;
  purpose?: string;
  required: boolean;
};

/** The name of a purpose field. Errors refer to the field by this name. */
export const purposeField = (scope: string) => `declaredScopes.${scope}.purpose`;

/**
 * The scopes that an app will request, each with its purpose and whether it is required. A selected
 * scope shows these details.
 */
export function ScopeFields({ scopes }: { scopes: readonly DeclaredScope[] }) {
  return (
    <fieldset>
      <legend className="font-medium">Requested permissions</legend>
      <p className="text-muted">
        Owners see these permissions on the consent screen. Selecting a permission doesn’t give the app access.
      </p>
      <div className="mt-1 divide-y divide-line">
        {scopes.map(({ scope, sentence, sensitive, requested, purpose, required }) => (
          <div key={scope} className="group/scope">
            <Checkbox
              name="scopes"
              value={scope}
              defaultChecked={requested}
              label={
                <>
                  {sensitive ? <WarningIcon className="me-1.5 inline size-4 align-[-2px] text-warn" /> : null}
                  {sentence} <span className="mono ms-1 font-normal text-muted">{scope}</span>
                </>
              }
            />
            <div className="hidden gap-1 pb-3 ps-8 group-has-[[name=scopes]:checked]/scope:grid">
              <Field label={`Reason for “${sentence}”`} name={purposeField(scope)}>
                <TextInput
                  defaultValue={purpose}
                  maxLength={200}
                  autoComplete="off"
                  placeholder={examples[scope] ?? "One sentence"}
                />
              </Field>
              {sensitive ? (
                <p className="text-muted">This permission can’t be required. Owners can always deny it.</p>
              ) : (
                <Checkbox
                  name="required"
                  value={scope}
                  defaultChecked={required}
                  label="The app can’t work without this permission"
                  detail="Owners must allow this permission or deny the whole request."
                />
              )}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

const examples: Record<string, string> = {
  "approvals:write": "To ask you before each release.",
  "approvals:read": "To continue as soon as you answer.",
  "notifications:write": "To report the result.",
};
