"use client";
import Link from "next/link";
import { useSyncExternalStore } from "react";
import { alertsHere } from "@/components/alerts/browser";
import { CheckIcon } from "@/components/ui/icons";
import { usePractised } from "./practised";

/** The four first steps, each a link to where it is taken, ticked when it is. */
export function Steps({ ownerId, hasAccount, hasApp }: { ownerId: string; hasAccount: boolean; hasApp: boolean }) {
  const steps = [
    { label: "Answer a practice question", href: "/approvals/practice", done: usePractised() },
    { label: "Get told on this device", href: "/settings#alerts", done: useToldHere(ownerId) },
    { label: "Link an account", href: "/integrations", done: hasAccount },
    { label: "Register an app", href: "/developer", done: hasApp },
  ];
  const next = steps.findIndex(({ done }) => !done);
  return (
    <ol className="mt-1 grid grid-cols-2 gap-2 @3xl:grid-cols-4">
      {steps.map(({ label, href, done }, index) => (
        <li key={label}>
          <Link
            href={href}
            prefetch={false}
            {...(index === next ? { "aria-current": "step" as const } : {})}
            className="flex h-full min-h-13 items-center gap-2.5 rounded-lg border border-line bg-surface px-3 py-2 text-muted hover:border-edge hover:text-text aria-[current=step]:border-accent aria-[current=step]:bg-accent-soft aria-[current=step]:font-medium aria-[current=step]:text-text"
          >
            <span className="flex size-6 shrink-0 items-center justify-center rounded-full border border-current text-xs tabular-nums">
              {done ? <CheckIcon className="size-4 text-ok" /> : index + 1}
            </span>
            <span className="min-w-0">
              {label}
              {done ? <span className="sr-only"> (done)</span> : null}
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}

const never = () => () => {};

/** Whether this browser tells this owner of what comes in; that it may is not enough. */
const useToldHere = (ownerId: string): boolean =>
  useSyncExternalStore(
    never,
    () => alertsHere(ownerId) === "on",
    () => false,
  );
