import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { AccountForm, WhatItIs } from "@/components/owners/create-account-form";
import { ButtonLink } from "@/components/ui/styled-links";
import { env } from "@/lib/config/env";
import { anyOwner } from "@/lib/owners/find-accounts";
import { isSetupToken } from "@/lib/owners/first-account-setup";

// The browser must not send a referrer to other sites, because the URL contains the one-time token.
// Our own server needs the referrer to return here after an error (`pageOf` in
// lib/web/run-action.ts).
export const metadata = { title: "Set up your account", referrer: "same-origin" as const };

export default async function Setup({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const { token } = await searchParams;
  if (typeof token !== "string" || !isSetupToken(token) || (await anyOwner())) return <NoSetup />;
  return (
    <SignedOutLayout title="Set up your account" lead={<WhatItIs />}>
      <AccountForm token={token} confirms={env().mail !== undefined} />
      <p className="text-muted">You’ll be the first owner of this service. This page works only once.</p>
    </SignedOutLayout>
  );
}

const NoSetup = () => (
  <SignedOutLayout status={404} title="This setup link doesn’t work">
    <p>
      Copy the whole link from the service’s output, including the long code at the end. The link works until the first
      account is created.
    </p>
    <ButtonLink href="/sign-in" variant="primary" size="wide">
      Sign in
    </ButtonLink>
  </SignedOutLayout>
);
