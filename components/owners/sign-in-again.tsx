"use client";
import { useState } from "react";
import { keepAllTyped } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";

/** Said above what needs a fresh sign-in, before anybody types. `path` leads there and back; what was typed meanwhile stays. */
export const SignInAgainNotice = ({ path }: { path: string }) => (
  <div className="mb-4">
    <Notice>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p>You signed in more than ten minutes ago, so changes need a new sign-in.</p>
        <ButtonLink href={path} size="small" className="sm:-my-2" onClick={keepAllTyped}>
          Confirm it’s you
        </ButtonLink>
      </div>
    </Notice>
  </div>
);

type FreshFormsProps = { fresh: boolean; children: React.ReactNode };

/** Forms whose acts all need a fresh sign-in: until there is one they show what they have, and take nothing that would be refused. */
export function FreshForms({ fresh, children }: FreshFormsProps) {
  // Whoever types while the ten minutes end goes on typing.
  const [began] = useState(fresh);
  return (
    <fieldset
      data-fresh
      disabled={!fresh && !began}
      className="min-w-0 disabled:[&_:is(label,legend,input,textarea,select)]:cursor-not-allowed disabled:[&_:is(label,legend,input,textarea,select)]:opacity-70"
    >
      {children}
    </fieldset>
  );
}
