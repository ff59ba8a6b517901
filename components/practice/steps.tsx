"use client";
import { useSyncExternalStore } from "react";
import { alertsHere } from "@/components/alerts/browser";
import { StepList } from "@/components/ui/step-list";
import { usePractised } from "./practised";

/** The four first steps, each a link to where it is taken, ticked when it is. */
export function Steps({ ownerId, hasAccount, hasApp }: { ownerId: string; hasAccount: boolean; hasApp: boolean }) {
  const steps = [
    { label: "Answer a practice question", href: "/approvals/practice", done: usePractised() },
    { label: "Get told on this device", href: "/settings#alerts", done: useToldHere(ownerId) },
    { label: "Link an account", href: "/integrations", done: hasAccount },
    { label: "Register an app", href: "/developer", done: hasApp },
  ];
  return <StepList steps={steps} className="mt-1 grid-cols-2 @3xl:grid-cols-4" />;
}

const never = () => () => {};

/** Whether this browser tells this owner of what comes in; that it may is not enough. */
const useToldHere = (ownerId: string): boolean =>
  useSyncExternalStore(
    never,
    () => alertsHere(ownerId) === "on",
    () => false,
  );
