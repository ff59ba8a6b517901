import { ActionForm } from "@/components/actions/action-form";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { EmailField } from "@/components/owners/fields";
import { Field, TextInput } from "@/components/ui/fields/field";
import { TextLink } from "@/components/ui/links";
import { env } from "@/lib/config/env";
import { localPath } from "@/lib/web/next-path";

export const metadata = { title: "Lost your password" };

export default async function Recover({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const path = localPath((await searchParams).next);
  const back = `next=${encodeURIComponent(path)}`;
  return (
    <SignedOutLayout
      title="Lost your password?"
      lead="Use one of your saved recovery codes. Each code works once. Next, choose a new password."
    >
      <ActionForm act="recovery.use-code" fields={{ next: path }} submit="Use this code" leaves>
        <EmailField />
        <Field
          label="Recovery code"
          name="code"
          hint="Twelve letters and digits. Not case-sensitive; dashes are optional."
        >
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
        No code left?{" "}
        {env().mail ? (
          <>
            <TextLink href="/sign-in/link">Get a link by email</TextLink>.{" "}
          </>
        ) : null}
        Your operator can create a link for you: <span className="mono">countersign owner reset</span>.{" "}
        <TextLink href={`/sign-in?${back}`}>Back to sign-in</TextLink>
      </p>
    </SignedOutLayout>
  );
}
