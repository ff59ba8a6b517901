import { notFound, redirect } from "next/navigation";
import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { AccountForm, WhatItIs } from "@/components/owners/create-account-form";
import { TextLink } from "@/components/ui/styled-links";
import { env } from "@/lib/config/env";
import { anyOwner } from "@/lib/owners/find-accounts";
import { currentOwner } from "@/lib/web/session";

export const metadata = { title: "Create an account" };

export default async function SignUp() {
  if (env().signups !== "open") notFound();
  if (await currentOwner()) redirect("/approvals");
  if (!(await anyOwner())) redirect("/");
  return (
    <SignedOutLayout title="Create an account" lead={<WhatItIs />}>
      <AccountForm confirms={env().mail !== undefined} />
      <p className="text-muted">
        Already have an account? <TextLink href="/sign-in">Sign in</TextLink>
      </p>
    </SignedOutLayout>
  );
}
