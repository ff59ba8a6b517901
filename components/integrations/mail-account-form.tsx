"use client";
import { useState } from "react";
import { ActionForm } from "@/components/actions/action-form";
import { useRefusal, useTyped } from "@/components/actions/form-error-context";
import { Disclosure } from "@/components/ui/fields/disclosure";
import { asTyped, Field, Select, TextInput } from "@/components/ui/fields/field";
import { Radio } from "@/components/ui/fields/radio";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { MailFormValues } from "@/lib/integrations/mail/mail-form";
import type { MailProvider } from "@/lib/integrations/mail/providers";
import { CancelLink } from "./start-account-link";

/** The fields of a mail provider that the form shows. */
export type MailPlace = Pick<MailProvider, "name" | "domains" | "note" | "help" | "instead"> & {
  takesPasswords: boolean;
};

type MailFormProps = {
  places: readonly MailPlace[];
  /** The fields' initial values. With `account`, the form reconnects that account. */
  typed: MailFormValues;
};

/**
 * The form that links a mail account by app password. Server settings are detected from the address
 * unless the owner enters them.
 */
export function MailForm({ places, typed }: MailFormProps) {
  const [email, setEmail] = useState(typed.email ?? "");
  const domain = email
    .slice(email.lastIndexOf("@") + 1)
    .trim()
    .toLowerCase();
  const place = places.find(({ domains }) => domains.includes(domain));
  const again = typed.account !== undefined;
  return (
    <ActionForm
      act="integration.link-mail"
      fields={typed.account === undefined ? undefined : { account: typed.account }}
      className="grid max-w-2xl gap-5"
    >
      <div>
        <Field label="Email address" name="email">
          <TextInput
            type="email"
            required
            maxLength={254}
            {...asTyped}
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
          hint="Create an app password at your mail provider. We test the password, encrypt it and never show it."
        >
          <TextInput type="password" required maxLength={1000} {...asTyped} />
        </Field>
        <WhatIsAnAppPassword places={places} />
      </div>
      <Kinds kinds={typed.kinds} />
      <MailServerFields typed={typed} />
      <div className="flex flex-wrap gap-3 max-sm:grid">
        <SubmitButton variant="primary" className="max-sm:min-h-12">
          {again ? "Reconnect" : "Link this account"}
        </SubmitButton>
        <CancelLink account={typed.account} />
      </div>
    </ActionForm>
  );
}

/** Provider-specific advice for the typed address. */
function AboutPlace({ place: { name, note, help, instead, takesPasswords } }: { place: MailPlace }) {
  if (!note && !help) return null;
  return (
    <div className="mt-3">
      <Notice tone={takesPasswords ? "info" : "warn"} title={name}>
        {note ? <p>{note}</p> : null}
        {help ? <HelpLink name={name} help={help} /> : null}
        {instead ? (
          <Link href={`/integrations/link/${instead}`} className="link inline-flex min-h-11 items-center">
            {" "}
            Link the account through its provider{" "}
          </Link>
        ) : null}
      </Notice>
    </div>
  );
}

const HelpLink = ({ name, help }: { name: string; help: string }) => (
  <a href={help} target="_blank" rel="noreferrer" className="link inline-flex min-h-11 items-center">
    {name} app passwords
    <span className="sr-only"> (opens in a new tab)</span>
  </a>
);

function WhatIsAnAppPassword({ places }: { places: readonly MailPlace[] }) {
  return (
    <Disclosure label="What is an app password?">
      <div className="grid gap-2 pt-1">
        <p className="max-w-[68ch] text-muted">
          An app password is a second password that your mail provider creates for one program. You can delete an app
          password at any time without changing your own password. If your provider doesn’t offer app passwords, use
          your own password.
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
    </Disclosure>
  );
}

const mailKinds = [
  ["read", "Read mail", "We’ll test the incoming mail server."],
  ["send", "Read and send mail", "We’ll also test the outgoing mail server, without sending anything."],
] as const;

function Kinds({ kinds }: { kinds: MailFormValues["kinds"] }) {
  const chosen = useTyped("kinds") ?? kinds ?? "read";
  const refusal = useRefusal("kinds");
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium">Permissions</legend>
      {mailKinds.map(([value, title, detail]) => (
        <Radio key={value} name="kinds" value={value} defaultChecked={chosen === value} {...{ title, detail }} />
      ))}
      {refusal ? <p className="font-medium text-danger">{refusal}</p> : null}
    </fieldset>
  );
}

/**
 * The fields for server settings, for owners who prefer to enter them. The section is open if a
 * field has a value or an error.
 */
export function MailServerFields({ typed }: { typed: MailFormValues }) {
  const wrong = fields.map(useRefusal).some(Boolean);
  const filled = fields.map(useTyped).some(Boolean);
  return (
    <Disclosure label="Server settings" open={wrong || filled || undefined}>
      <div className="grid gap-5 pt-2">
        <p className="max-w-[68ch] text-muted">
          If you leave these fields empty, we detect the settings from your email address. Your mail provider’s help
          pages list the settings, often under “mail programs” or “IMAP”.
        </p>
        <Field
          label="Login name"
          name="user"
          hint="Fill in this field only if your login name isn’t your email address."
        >
          <TextInput {...asTyped} maxLength={254} defaultValue={typed.user} />
        </Field>
        <ServerFields protocol="imap" title="Reading mail (IMAP)" usual={["imap.example.com", "993"]} typed={typed} />
        <ServerFields protocol="smtp" title="Sending mail (SMTP)" usual={["smtp.example.com", "465"]} typed={typed} />
      </div>
    </Disclosure>
  );
}

const fields = ["user", "imapHost", "imapPort", "imapTls", "smtpHost", "smtpPort", "smtpTls"] as const;

type ServerFieldsProps = {
  protocol: "imap" | "smtp";
  title: string;
  usual: [host: string, port: string];
  typed: MailFormValues;
};

function ServerFields({ protocol, title, usual: [host, port], typed }: ServerFieldsProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium">{title}</legend>
      <Field label="Server" name={`${protocol}Host`}>
        <TextInput {...asTyped} maxLength={253} placeholder={host} defaultValue={typed[`${protocol}Host`]} />
      </Field>
      <div className="grid grid-cols-[7rem_1fr] items-start gap-3">
        <Field label="Port" name={`${protocol}Port`}>
          <TextInput
            {...asTyped}
            inputMode="numeric"
            maxLength={5}
            placeholder={port}
            defaultValue={typed[`${protocol}Port`]}
          />
        </Field>
        <Field label="Encryption" name={`${protocol}Tls`}>
          <Select
            defaultValue={typed[`${protocol}Tls`] ?? ""}
            options={{ "": "Default for this port", tls: "TLS (SSL)", starttls: "STARTTLS" }}
          />
        </Field>
      </div>
    </fieldset>
  );
}
