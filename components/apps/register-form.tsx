"use client";
import { OwnerActionForm } from "@/components/actions/owner-action-form";
import { Field, TextArea, TextInput } from "@/components/ui/fields/field";
import { Radio } from "@/components/ui/fields/radio";
import { ButtonLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { Secret } from "@/components/ui/secret";
import { SubmitButton } from "@/components/ui/submit-button";
import type { ActOutput } from "@/lib/web/owner-actions";
import { type DeclaredScope, ScopeFields } from "./scope-fields";

type RegisterFormProps = {
  scopes: readonly DeclaredScope[];
  /** How many apps the owner may have, once they have as many. */
  full?: number | undefined;
};

/**
 * Register an app. What comes back takes the form's place, because the secret is shown only now: also that of the last app
 * there is room for, which is why the form itself says that there is none.
 */
export function RegisterForm({ scopes, full }: RegisterFormProps) {
  return (
    <OwnerActionForm act="app.register" className="grid max-w-2xl gap-5" success={(app) => <Credentials {...app} />}>
      {full === undefined ? <Fields scopes={scopes} /> : <Full most={full} />}
    </OwnerActionForm>
  );
}

const Full = ({ most }: { most: number }) => (
  <div data-unpreviewed>
    <Notice tone="warn" title={`You have ${most} apps`}>
      This is the limit. Delete one you no longer need to register another.
    </Notice>
  </div>
);

function Fields({ scopes }: Pick<RegisterFormProps, "scopes">) {
  return (
    <>
      <Field label="Name" name="name" hint="You see it whenever the app has a question for you.">
        <TextInput required maxLength={100} autoComplete="off" placeholder="Deploy bot" />
      </Field>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium">Where it runs</legend>
        <Radio name="kind" value="confidential" title="On a server" detail="It can keep a secret." defaultChecked />
        <Radio
          name="kind"
          value="public"
          title="On a device"
          detail="A command line, a web page or a phone. It has no secret."
        />
      </fieldset>
      <Field
        label="Redirect addresses"
        name="redirectUris"
        hint="One per line, compared exactly. Leave empty when the app only uses personal tokens."
      >
        <TextArea className="font-mono" placeholder="https://app.example.com/callback" spellCheck={false} />
      </Field>
      <ScopeFields scopes={scopes} />
      <div>
        <SubmitButton variant="primary">Register app</SubmitButton>
      </div>
    </>
  );
}

function Credentials({ clientId, clientSecret }: ActOutput<"app.register">) {
  return (
    <div data-unpreviewed className="grid gap-4">
      <Notice tone="ok" title="Registered">
        {clientSecret
          ? "Copy the secret now. It is not kept and cannot be shown again."
          : "An app on a device has no secret."}
      </Notice>
      <Secret label="Client id" text={clientId} />
      {clientSecret ? <Secret label="Client secret" text={clientSecret} /> : null}
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={`/developer/${clientId}`} variant="primary">
          Go on to the app
        </ButtonLink>
      </div>
    </div>
  );
}
