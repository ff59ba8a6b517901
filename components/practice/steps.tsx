"use client";
import { useEffect, useState } from "react";
import { StepList } from "@/components/ui/step-list";
import { usePractised } from "./practised";

/** The four first steps, each a link to where it is taken, ticked when it is. */
export function Steps({ ownerId, hasAccount, hasApp }: { ownerId: string; hasAccount: boolean; hasApp: boolean }) {
  // That this browser may tell somebody is not enough: it is to tell this owner.
  const [toldHere, setToldHere] = useState(false);
  useEffect(() => {
    void import("@/components/alerts/browser").then(
      ({ alertsHere }) => setToldHere(alertsHere(ownerId) === "on"),
      // Unticked, where it could not be fetched.
      () => {},
    );
  }, [ownerId]);
  const steps = [
    { label: "Answer a practice question", href: "/approvals/practice", done: usePractised() },
    { label: "Get told on this device", href: "/settings#alerts", done: toldHere },
    { label: "Link an account", href: "/integrations", done: hasAccount },
    { label: "Register an app", href: "/developer", done: hasApp },
  ];
  return <StepList steps={steps} className="mt-1 grid-cols-2 @3xl:grid-cols-4" />;
}
