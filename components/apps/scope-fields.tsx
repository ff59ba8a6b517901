import { Checkbox } from "@/components/ui/fields/checkbox";
import { Field, TextInput } from "@/components/ui/fields/field";
import { WarningIcon } from "@/components/ui/icons";

/** One scope, and what the app says of it so far. */
export type DeclaredScope = {
  scope: string;
  sentence: string;
  sensitive: boolean;
  asked: boolean;
  purpose?: string;
  required: boolean;
};

/** What the form calls the field of a purpose: where a refusal of it is told. */
export const purposeField = (scope: string) => `declaredScopes.${scope}.purpose`;

/** What an app will ask for: each scope with why, and whether it works without. The details show once it is ticked. */
export function ScopeFields({ scopes }: { scopes: readonly DeclaredScope[] }) {
  return (
    <fieldset>
      <legend className="font-medium">What it will ask for</legend>
      <p className="text-muted">Owners read this on the consent screen. It grants the app nothing.</p>
      <div className="mt-1 divide-y divide-line">
        {scopes.map(({ scope, sentence, sensitive, asked, purpose, required }) => (
          <div key={scope} className="group/scope">
            <Checkbox
              name="scopes"
              value={scope}
              defaultChecked={asked}
              label={
                <>
                  {sensitive ? <WarningIcon className="me-1.5 inline size-4 align-[-2px] text-warn" /> : null}
                  {sentence} <span className="mono ms-1 font-normal text-muted">{scope}</span>
                </>
              }
            />
            <div className="hidden gap-1 pb-3 ps-8 group-has-[[name=scopes]:checked]/scope:grid">
              <Field label={`Why it wants to ${lower(sentence)}`} name={purposeField(scope)}>
                <TextInput
                  defaultValue={purpose}
                  maxLength={200}
                  autoComplete="off"
                  placeholder={examples[scope] ?? "One sentence"}
                />
              </Field>
              {sensitive ? (
                <p className="text-muted">Never required: owners may always leave this out.</p>
              ) : (
                <Checkbox
                  name="required"
                  value={scope}
                  defaultChecked={required}
                  label="It cannot work without this"
                  detail="Owners can then only allow it or deny the whole request."
                />
              )}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

const lower = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);

const examples: Record<string, string> = {
  "approvals:write": "So that nothing ships without your yes.",
  "approvals:read": "To go on as soon as you have answered.",
  "notifications:write": "To tell you how it went.",
};
