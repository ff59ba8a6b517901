"use client";
import { alertsHere } from "@/components/alerts/browser";
import { StepList } from "@/components/ui/step-list";
import { useAlive } from "@/components/ui/use-alive";
import { usePractised } from "./practised";

/** The four first steps, each a link to where it is taken, ticked when it is. */
export function Steps({ ownerId, hasAccount, hasApp }: { ownerId: string; hasAccount: boolean; hasApp: boolean }) {
  // That this browser may tell somebody is not enough: it is to tell this owner.
  const toldHere = useAlive() && alertsHere(ownerId) === "on";
  const steps = [
    { label: "Answer a practice question", href: "/approvals/practice", done: usePractised() },
    { label: "Get told on this device", href: "/settings#alerts", done: toldHere },
    { label: "Link an account", href: "/integrations", done: hasAccount },
    { label: "Register an app", href: "/developer", done: hasApp },
  ];
  return <StepList steps={steps} className="mt-1 grid-cols-2 @3xl:grid-cols-4" />;
}
