"use client";
import { useState } from "react";
import { Notice } from "@/components/ui/notice";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import type { VerifiedReceipt } from "@/lib/client/receipts";
import { ReceiptProblem } from "./check-receipt";
import { checkSignature, type PasskeyProof } from "./check-signature";
import { fullTime } from "./full-time";
import { TextSource } from "./text-source";

/** Checks the passkey's signature in a receipt, with the owner's keys that the reader has. */
export function SignatureCheck({ receipt }: { receipt: VerifiedReceipt }) {
  const [proof, setProof] = useState<PasskeyProof>();
  const [problem, setProblem] = useState<string>();
  const formats = useFormats();
  const check = async (text: string) => {
    setProof(undefined);
    setProblem(undefined);
    try {
      setProof(await checkSignature(receipt, text));
    } catch (error) {
      setProblem(error instanceof ReceiptProblem ? error.message : "Couldn’t check the signature. Try again.");
    }
  };
  return (
    <>
      <p className="text-muted">
        A passkey signed this answer. To check the signature without trust in the service, use the owner’s keys that the
        app stored before it asked.
      </p>
      <TextSource
        name="keys"
        label="Owner’s keys"
        hint="The JSON from GET /api/owner/keys."
        submit="Check the signature"
        onText={(text) => void check(text)}
        onError={setProblem}
      />
      {problem === undefined ? null : (
        <Notice tone="danger" title="Not proved">
          {problem}
        </Notice>
      )}
      {proof ? (
        <Notice tone="ok" title="The owner’s passkey signed this answer">
          <p>
            {proof.origin === receipt.iss ? (
              <>
                The owner signed on a page of the service. The signature doesn’t prove that this page showed the
                question.
              </>
            ) : (
              <>
                The owner signed on a page of <bdi>{proof.origin}</bdi>, and not on a page of the service.
              </>
            )}
          </p>
          <p>
            The passkey {proof.synced ? "can be synced to other devices" : "is bound to one device"}. According to these
            keys, the owner added it on {fullTime(proof.since, formats)}. Trust it only if that was before the app
            asked.
          </p>
        </Notice>
      ) : null}
    </>
  );
}
