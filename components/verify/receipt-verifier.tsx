"use client";
import { useEffect, useRef, useState } from "react";
import { Notice } from "@/components/ui/notice";
import type { Jwks, VerifiedReceipt } from "@/lib/client/receipts";
import { checkReceipt, ReceiptProblem } from "./check-receipt";
import { ReceiptReport } from "./receipt-report";
import { TextSource } from "./text-source";

/** Reads the public keys of the service that served this page. */
async function readKeys(): Promise<Jwks> {
  const reply = await fetch("/.well-known/jwks.json", { cache: "no-cache" });
  if (!reply.ok) throw new Error(`HTTP status ${reply.status}`);
  return (await reply.json()) as Jwks;
}

type Outcome = { receipt: VerifiedReceipt } | { problem: string };

/** Checks a receipt in this browser. The receipt is sent nowhere. */
export function ReceiptVerifier({ issuer }: { issuer: string }) {
  const [outcome, setOutcome] = useState<Outcome>();
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome) result.current?.focus();
  }, [outcome]);
  const check = async (text: string) => {
    try {
      if (!text.trim()) throw new ReceiptProblem("Paste a receipt first.");
      setOutcome({ receipt: await checkReceipt(text, issuer, readKeys) });
    } catch (error) {
      setOutcome({
        problem: error instanceof ReceiptProblem ? error.message : "Couldn’t check this receipt. Try again.",
      });
    }
  };
  return (
    <>
      <TextSource
        name="receipt"
        label="Receipt"
        submit="Check the receipt"
        scans
        onText={(text) => void check(text)}
        onError={(problem) => setOutcome({ problem })}
      />
      <div ref={result} tabIndex={-1} className="grid gap-5 outline-none empty:hidden">
        {outcome === undefined ? null : "problem" in outcome ? (
          <Notice tone="danger" title="Not proved">
            <bdi>{outcome.problem}</bdi>
          </Notice>
        ) : (
          <ReceiptReport receipt={outcome.receipt} />
        )}
      </div>
    </>
  );
}
