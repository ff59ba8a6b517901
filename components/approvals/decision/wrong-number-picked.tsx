"use client";
import { useEffect, useRef } from "react";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { Notice } from "@/components/ui/notice";
import { UnexpectedForm } from "./report-unexpected-question";

/** Replaces the options after the owner picked a number that the app does not show. */
export const WrongNumber = ({ approval }: { approval: InboxApproval }) => {
  const { _id: id, clientId, app } = approval;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // Runs after the signing sheet has closed.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body)
        section.current?.querySelector<HTMLElement>("[role=alert]")?.focus();
    });
    return () => clearTimeout(timer);
  }, []);
  return (
    <section ref={section} aria-label="Wrong number" className="grid gap-4">
      <Notice tone="danger" title="Wrong number">
        Your answer wasn’t sent, and the question is closed. If you expected this question, <bdi>{app.name}</bdi> can
        ask again.
      </Notice>
      <UnexpectedForm id={id} app={{ ...app, clientId }} recorded />
    </section>
  );
};
