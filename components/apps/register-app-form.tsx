"use client";
import { ActionForm } from "@/components/actions/action-form";
import { CopyableValue } from "@/components/ui/copyable-value";
import { Field, TextArea, TextInput } from "@/components/ui/fields/field";
import { Radio } from "@/components/ui/fields/radio";
import { Notice } from "@/components/ui/notice";
import { ButtonLink } from "@/components/ui/styled-links";
import { SubmitButton } from "@/components/ui/submit-button";
import type { ActionOutput } from "@/lib/web/action-registry";
import { type DeclaredScope, ScopeFields } from "./scope-fields";

type RegisterFormProps = {
  scopes: readonly DeclaredScope[];
  /** The maximum number of apps, if the owner has reached it. */
  full?: number | undefined;
};

/**
 * The form that registers an app. The new app's secret replaces the form, because it is shown only
 * once. At the limit, a message replaces only the fields, so that the last app's secret can still
 * be shown.
 */
export function RegisterForm({ scopes, full }: RegisterFormProps) {
  return (
    <ActionForm act="app.register" className="grid max-w-2xl gap-5" success={(app) => <Credentials {...app} />}>
      {full === undefined ? <Fields scopes={scopes} /> : <Full max={full} />}
    </ActionForm>
  );
}

const Full = ({ max }: { max: number }) => (
  <div data-unpreviewed>
    <Notice tone="warn" title={`You’ve reached the limit of ${max} apps`}>
      To register another app, delete an app that you no longer need.
    </Notice>
  </div>
);

function Fields({ scopes }: Pick<RegisterFormProps, "scopes">) {
  return (
    <>
      <Field label="Name" name="name" hint="The name appears with every question the app asks.">
        <TextInput required maxLength={100} autoComplete="off" placeholder="Deploy bot" />
      </Field>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium">App type</legend>
        <Radio
          name="kind"
          value="confidential"
          title="On a server"
          detail="The app runs on your server. The app can keep a secret."
          defaultChecked
        />
        <Radio
          name="kind"
          value="public"
          title="On a device"
          detail="The app runs in a terminal, in a web page or on a phone. The app can’t keep a secret."
        />
      </fieldset>
      <Field
        label="Redirect URIs"
        name="redirectUris"
        hint="Enter one URI per line. The redirect URI that the app sends must exactly match one line. On 127.0.0.1, the port can differ. Leave the field empty if the app uses only personal tokens or device codes."
      >
        <TextArea className="font-mono" placeholder="https://example.com/callback" spellCheck={false} />
      </Field>
      <ScopeFields scopes={scopes} />
      <div>
        <SubmitButton variant="primary">Register app</SubmitButton>
      </div>
    </>
  );
}

function Credentials({ clientId, clientSecret }: ActionOutput<"app.register">) {
  return (
    <div data-unpreviewed className="grid gap-4">
      <Notice tone="ok" title="App registered">
        {clientSecret ? "Copy the secret now. It can’t be shown again." : "Apps on a device don’t have a secret."}
      </Notice>
      <CopyableValue label="Client ID" text={clientId} />
      {clientSecret ? <CopyableValue label="Client secret" text={clientSecret} /> : null}
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={`/developer/${clientId}`} variant="primary">
          Go to the app’s page
        </ButtonLink>
      </div>
    </div>
  );
}
