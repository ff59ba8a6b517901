"use client";
import { useState } from "react";

/**
 * Contains forms that require a recent sign-in. Otherwise, the forms show their values but are
 * disabled.
 */
export function FreshForms({ fresh, children }: { fresh: boolean; children: React.ReactNode }) {
  // If the sign-in was recent when the form was opened, the form stays enabled.
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
