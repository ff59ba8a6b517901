"use client";
import { useState } from "react";
import { asTyped, TextInput } from "@/components/ui/fields/field";
import { useHydrated } from "@/components/ui/use-hydrated";

/** The input for a new password, with a button to show it. */
export function NewPassword() {
  const [shown, setShown] = useState(false);
  const alive = useHydrated();
  return (
    <div className="relative">
      <TextInput
        {...asTyped}
        type={shown ? "text" : "password"}
        autoComplete="new-password"
        required
        className="pe-18"
      />
      {alive ? (
        <button
          type="button"
          onClick={() => setShown(!shown)}
          className="link absolute inset-e-0 inset-y-0 px-3 font-medium"
        >
          {shown ? "Hide" : "Show"}
          <span className="sr-only"> password</span>
        </button>
      ) : null}
    </div>
  );
}
