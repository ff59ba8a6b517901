import { useRefusal, useTyped } from "@/components/ui/action-form";
import { asTyped, Field, Select, TextInput } from "@/components/ui/fields/field";
import { Fold } from "@/components/ui/fields/fold";
import type { TypedMail } from "@/lib/integrations/mail/form";

/** Where the account is, for who knows it better than we find it. Open once something stands or is the matter there. */
export function MailServerFields({ typed }: { typed: TypedMail }) {
  const wrong = fields.map(useRefusal).some(Boolean);
  const filled = fields.map(useTyped).some(Boolean);
  return (
    <Fold label="Server settings" open={wrong || filled || undefined}>
      <div className="grid gap-5 pt-2">
        <p className="max-w-[68ch] text-muted">
          Leave them empty to find them from your address. Your provider lists them, often under “mail programs” or
          “IMAP”.
        </p>
        <Field label="Login name" name="user" hint="Only if it is not your e-mail address.">
          <TextInput {...asTyped} maxLength={254} defaultValue={typed.user} />
        </Field>
        <ServerFields protocol="imap" title="Reading mail (IMAP)" usual={["imap.example.com", "993"]} typed={typed} />
        <ServerFields protocol="smtp" title="Sending mail (SMTP)" usual={["smtp.example.com", "465"]} typed={typed} />
      </div>
    </Fold>
  );
}

const fields = ["user", "imapHost", "imapPort", "imapTls", "smtpHost", "smtpPort", "smtpTls"] as const;

type ServerFieldsProps = {
  protocol: "imap" | "smtp";
  title: string;
  usual: [host: string, port: string];
  typed: TypedMail;
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
            options={{ "": "As usual at the port", tls: "TLS (SSL)", starttls: "STARTTLS" }}
          />
        </Field>
      </div>
    </fieldset>
  );
}
