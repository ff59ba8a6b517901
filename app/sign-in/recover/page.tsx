import { ActionForm } from "@/components/actions/action-form";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { CarriedEmail } from "@/components/owners/carried-email";
import { EmailField } from "@/components/owners/credential-fields";
import { Field, TextInput } from "@/components/ui/fields/field";
import { TextLink } from "@/components/ui/styled-links";
import { env } from "@/lib/config/env";
import { localPath } from "@/lib/web/safe-redirect-path";
import { currentOwner } from "@/lib/web/session";

export const metadata = { title: "Lost password" };

export default async function Recover({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const path = localPath((await searchParams).next);
  const owner = await currentOwner();
  const back = `next=${encodeURIComponent(path)}`;
  return (
    <SignedOutLayout title="Lost your password?" lead="Use a recovery code, then choose a new password.">
      <ActionForm act="recovery.use-code" fields={{ next: path }} submit="Use this code" leaves>
        <EmailField known={owner?.email} />
        <CarriedEmail />
        <Field label="Recovery code" name="code" hint="A recovery code has twelve letters and digits.">
          <TextInput
            className="font-mono"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={100}
          />
        </Field>
      </ActionForm>
      <p className="text-muted">
        No recovery codes?{" "}
        {env().mail ? (
          <>
            <TextLink href="/sign-in/link">Get a sign-in link by email</TextLink>.
          </>
        ) : (
          "Ask this server’s operator for a reset link."
        )}{" "}
        <TextLink href={`/sign-in?${back}`}>Back to sign-in</TextLink>
      </p>
    </SignedOutLayout>
  );
}
