"use client";
import Link from "next/link";
import { useState } from "react";
import { ActionForm, type FormAction, useRefusal, useTyped } from "@/components/ui/action-form";
import { buttonClass } from "@/components/ui/button";
import { Field, TextInput } from "@/components/ui/fields/field";
import { ChevronIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { TypedMail } from "@/lib/integrations/mail-form";
import type { MailProvider } from "@/lib/integrations/mail-providers";
import { MailServerFields } from "./mail-server-fields";

/** A mail provider, as far as the form says anything of it. */
export type MailPlace = Pick<MailProvider, "name" | "domains" | "note" | "help" | "instead"> & {
  takesPasswords: boolean;
};

type MailFormProps = {
  action: FormAction;
  places: readonly MailPlace[];
  /** What is in the fields at first. With `account` an account is connected again. */
  typed: TypedMail;
};

/** A mail account by its app password. All else is found by the address, unless its owner types it. */
export function MailForm({ action, places, typed }: MailFormProps) {
  const [email, setEmail] = useState(typed.email ?? "");
  const domain = email
    .slice(email.lastIndexOf("@") + 1)
    .trim()
    .toLowerCase();
  const place = places.find(({ domains }) => domains.includes(domain));
  const again = typed.account !== undefined;
  return (
    <ActionForm action={action} className="grid max-w-2xl gap-5">
      {again ? <input type="hidden" name="account" value={typed.account} /> : null}
      <div>
        <Field label="E-mail address" name="email">
          <TextInput
            type="email"
            required
            maxLength={254}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={typed.email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </Field>
        <div aria-live="polite">{place ? <AboutPlace place={place} /> : null}</div>
      </div>
      <div className="grid gap-1">
        <Field
          label="App password"
          name="password"
          hint="Not the password you sign in with. We test it, keep it encrypted and never show it."
        >
          <TextInput
            type="password"
            required
            maxLength={1000}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <WhatIsAnAppPassword places={places} />
      </div>
      <Kinds kinds={typed.kinds} />
      <MailServerFields typed={typed} />
      <div className="flex flex-wrap gap-3 max-sm:grid">
        <SubmitButton variant="primary" className="max-sm:min-h-12">
          {again ? "Connect again" : "Link this account"}
        </SubmitButton>
        <Link
          href={again ? `/integrations/${typed.account}` : "/integrations/link"}
          className={buttonClass({ variant: "quiet" })}
        >
          Cancel
        </Link>
      </div>
    </ActionForm>
  );
}

/** What an owner with such an address should know before they try. */
function AboutPlace({ place: { name, note, help, instead, takesPasswords } }: { place: MailPlace }) {
  if (!note && !help) return null;
  return (
    <div className="mt-3">
      <Notice tone={takesPasswords ? "info" : "warn"} title={name}>
        {note ? <p>{note}</p> : null}
        {help ? <HelpLink name={name} help={help} /> : null}
        {instead ? (
          <Link href={`/integrations/link/${instead}`} className="link inline-flex min-h-11 items-center">
            Link it there
          </Link>
        ) : null}
      </Notice>
    </div>
  );
}

const HelpLink = ({ name, help }: { name: string; help: string }) => (
  <a href={help} target="_blank" rel="noreferrer" className="link inline-flex min-h-11 items-center">
    App passwords at {name}
    <span className="sr-only"> (opens in a new tab)</span>
  </a>
);

function WhatIsAnAppPassword({ places }: { places: readonly MailPlace[] }) {
  return (
    <details className="group">
      <summary className={`${buttonClass({ variant: "quiet", size: "small" })} -ml-3`}>
        <ChevronIcon className="size-4 rotate-90 group-open:-rotate-90" />
        What is an app password?
      </summary>
      <div className="grid gap-2 pt-1">
        <p className="max-w-[68ch] text-muted">
          A second password that your mail provider makes for one program. It opens your mail and nothing else of your
          account, and you can delete it at the provider at any time without changing your own. Where a provider has
          none, its programs take your usual password.
        </p>
        <ul className="flex flex-wrap gap-x-5">
          {places.map(({ name, help }) =>
            help ? (
              <li key={name}>
                <HelpLink name={name} help={help} />
              </li>
            ) : null,
          )}
        </ul>
      </div>
    </details>
  );
}

function Kinds({ kinds }: { kinds: TypedMail["kinds"] }) {
  const chosen = useTyped("kinds") ?? kinds ?? "read";
  const refusal = useRefusal("kinds");
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium">What it may give</legend>
      <Kind value="read" chosen={chosen} title="Read mail" detail="The server that keeps your mail is tried." />
      <Kind
        value="send"
        chosen={chosen}
        title="Read and send mail"
        detail="The server that sends your mail is tried too. Nothing is sent."
      />
      {refusal ? <p className="font-medium text-danger">{refusal}</p> : null}
    </fieldset>
  );
}

function Kind({ value, chosen, title, detail }: { value: string; chosen: string; title: string; detail: string }) {
  return (
    <label className="flex min-h-11 items-start gap-3 py-1.5">
      <input
        type="radio"
        name="kinds"
        value={value}
        defaultChecked={chosen === value}
        className="mt-0.5 size-4.5 shrink-0 accent-accent"
      />
      <span>
        <span className="font-medium">{title}</span> <span className="block text-muted">{detail}</span>
      </span>
    </label>
  );
}
