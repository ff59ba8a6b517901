import { notFound } from "next/navigation";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { AccountForm, WhatItIs } from "@/components/owners/account-form";
import { env } from "@/lib/config/env";
import { anyOwner } from "@/lib/owners/owners";
import { isSetupToken } from "@/lib/owners/setup";
import { createFirstAccount } from "./actions";

// The address carries the one-time token, so no other site is told it. (With no-referrer a browser would post the form with
// `Origin: null`, which Next refuses.)
export const metadata = { title: "Set up", referrer: "same-origin" as const };

export default async function Setup({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const { token } = await searchParams;
  if (typeof token !== "string" || !isSetupToken(token) || (await anyOwner())) notFound();
  return (
    <SignedOutLayout title="Make this place yours" lead={<WhatItIs />}>
      <AccountForm action={createFirstAccount} token={token} confirms={env().mail !== undefined} />
      <p className="text-muted">You will be the first owner here. This page then closes for good.</p>
    </SignedOutLayout>
  );
}
