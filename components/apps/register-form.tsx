"use client";
import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button-link";
import { Field, TextArea, TextInput } from "@/components/ui/fields/field";
import { Notice } from "@/components/ui/notice";
import { Secret } from "@/components/ui/secret";
import { SubmitButton } from "@/components/ui/submit-button";
import { type DeclaredScope, ScopeFields } from "./scope-fields";

export type Registered = { clientId: string; clientSecret?: string };

type RegisterFormProps = {
  action: FormAction<Registered>;
  scopes: readonly DeclaredScope[];
  /** How many apps the owner may have, once they have as many. */
  full?: number | undefined;
};

/**
 * Register an app. What comes back takes the form's place, because the secret is shown only now: also that of the last app
 * there is room for, which is why the form itself says that there is none.
 */
export function RegisterForm({ action, scopes, full }: RegisterFormProps) {
  return (
    <ActionForm action={action} className="grid max-w-2xl gap-5" success={(app) => <Credentials {...app} />}>
      {full === undefined ? <Fields scopes={scopes} /> : <Full most={full} />}
    </ActionForm>
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
      <Field label="Name" name="name" hint="You read it each time the app asks you something.">
        <TextInput required maxLength={100} autoComplete="off" placeholder="Deploy bot" />
      </Field>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium">Where it runs</legend>
        <Choice value="confidential" title="On a server" detail="It can keep a secret." defaultChecked />
        <Choice
          value="public"
          title="On a device"
          detail="A command line, a web page, a phone: no secret, PKCE alone."
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

function Choice({ title, detail, ...rest }: { title: string; detail: string } & React.ComponentProps<"input">) {
  return (
    <label className="flex min-h-11 items-start gap-3 py-1.5">
      <input type="radio" name="kind" {...rest} className="mt-0.5 size-4.5 shrink-0 accent-accent" />
      <span>
        <span className="font-medium">{title}</span> <span className="block text-muted">{detail}</span>
      </span>
    </label>
  );
}

function Credentials({ clientId, clientSecret }: Registered) {
  return (
    <div data-unpreviewed className="grid gap-4">
      <Notice tone="ok" title="Registered">
        {clientSecret
          ? "Copy the secret now. It is not kept and cannot be shown again."
          : "A public app has no secret."}
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
