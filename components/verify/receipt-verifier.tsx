"use client";
import { useEffect, useRef, useState } from "react";
import { Notice } from "@/components/ui/notice";
import type { Jwks, VerifiedReceipt } from "@/lib/client/receipts";
import { checkReceipt, ReceiptProblem } from "./check-receipt";
import { ReceiptReport } from "./receipt-report";
import { TextSource } from "./text-source";

type Outcome = { text: string; receipt: VerifiedReceipt } | { problem: string };

/** Checks a receipt in this browser, without any request. The service's public keys come with the page. */
export function ReceiptVerifier({ issuer, jwks }: { issuer: string; jwks: Jwks }) {
  const [outcome, setOutcome] = useState<Outcome>();
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome) result.current?.focus();
  }, [outcome]);
  const check = async (text: string) => {
    try {
      if (!text.trim()) throw new ReceiptProblem("Paste a receipt first.");
      setOutcome({ text, receipt: await checkReceipt(text, issuer, jwks) });
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
          // The key forgets the proof of another receipt's signature.
          <ReceiptReport key={outcome.text} receipt={outcome.receipt} />
        )}
      </div>
    </>
  );
}
