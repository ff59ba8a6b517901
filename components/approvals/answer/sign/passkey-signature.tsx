"use client";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { sendAction } from "@/components/actions/send-action";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { useConnection } from "@/components/live/connection-and-refresh";
import { passkeyProblem } from "@/components/owners/passkey-dialog";
import { Button } from "@/components/ui/button";
import { KeyIcon } from "@/components/ui/icons";
import type { ActionOutput } from "@/lib/web/action-registry";
import { askLens, LensClosed } from "./ask-lens";
import { StatementFingerprint } from "./statement-fingerprint";

type Offer = ActionOutput<"approval.offer-signature">;

type PasskeySignatureProps = {
  /** The questions that one signature answers. */
  several: [InboxApproval, ...InboxApproval[]];
  /** The answer's form fields. */
  answer: Record<string, string>;
  /** Called with the form text of the signature. */
  onSign: (signature: string) => void;
};

/**
 * Signs an answer with the owner's passkey. The passkey signs a statement of the whole answer, which
 * the owner can check on another device first.
 */
export function PasskeySignature({ several, answer, onSign }: PasskeySignatureProps) {
  const [problem, setProblem] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const { offer, problem: refusal, renew } = useOffer(several, answer, isOpen);
  const isOffline = useConnection() === "offline";
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);

  const inLens = several[0].sign === "lens";
  const sign = useEffectEvent(async (offer: Offer, stop: AbortSignal) => {
    try {
      const signature = await (inLens ? signInLens(offer, stop) : signHere(offer, stop));
      if (!stop.aborted) onSign(JSON.stringify(signature));
    } catch (error) {
      if (stop.aborted) return;
      setOpen(false);
      setProblem(error instanceof LensClosed ? error.message : passkeyProblem(error));
      renew();
    }
  });
  // A press counts even if the statement has not arrived yet.
  useEffect(() => {
    if (!isOpen || !offer) return;
    const stop = new AbortController();
    void sign(offer, stop.signal);
    // A sheet that the owner closes must not send an answer later.
    return () => stop.abort();
  }, [isOpen, offer]);
  const press = () => {
    setProblem(undefined);
    if (refusal) renew();
    setOpen(true);
  };
  const trouble = isOffline ? "You’re offline. Sign when you’re back online." : (problem ?? refusal);
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line pt-4 text-center">
      <Button
        ref={button}
        variant="primary"
        size="wide"
        disabled={isOffline}
        pending={isOpen && !refusal}
        aria-describedby="passkey-status"
        onClick={() => (isOpen && !refusal) || press()}
      >
        <KeyIcon />
        {refusal ? "Try again" : inLens ? "Sign in the lens" : "Sign with your passkey"}
      </Button>
      <p id="passkey-status" role="status" className={`min-h-5 ${trouble ? "text-danger" : "text-muted"}`}>
        {trouble ??
          (!isOpen
            ? "Not sent yet"
            : !offer
              ? "Preparing…"
              : inLens
                ? "Sign in the lens’s window"
                : "Confirm in the passkey dialog")}
      </p>
      {offer ? <StatementFingerprint {...offer} /> : null}
    </div>
  );
}

/** Signs with the browser's passkey dialog on this page. */
async function signHere({ statement, options }: Offer, stop: AbortSignal) {
  const { startAuthentication, WebAuthnAbortService } = await import("@simplewebauthn/browser");
  stop.throwIfAborted();
  stop.addEventListener("abort", () => WebAuthnAbortService.cancelCeremony());
  return { statement, response: await startAuthentication({ optionsJSON: options }) };
}

/** Signs in a window of the operator's lens, which shows the answer itself. */
async function signInLens({ lens, request, options }: Offer, stop: AbortSignal) {
  if (!lens) throw new LensClosed("This service has no lens. Its operator must set LENS_ORIGINS.");
  return askLens({ lens, request, credentials: options.allowCredentials ?? [], stop });
}

/** Milliseconds after which an offer is renewed. The server accepts it for five minutes. */
const renewAfterMs = 240_000;

/**
 * Requests the statement to sign, and requests it again before it expires, unless the passkey dialog
 * is open.
 */
function useOffer(several: InboxApproval[], answer: Record<string, string>, isOpen: boolean) {
  const [offer, setOffer] = useState<Offer>();
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const form = useRef(offerForm(several, answer));
  const renew = () => setAttempt((nth) => nth + 1);
  const expire = useEffectEvent(() => isOpen || renew());
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt requests another statement
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => expire(), renewAfterMs);
    setOffer(undefined);
    setProblem(undefined);
    sendAction("approval.offer-signature", form.current).then(
      (reply) => {
        if (!isCurrent || !reply) return;
        if (reply.ok && reply.value) setOffer(reply.value);
        else setProblem(reply.ok ? notPrepared : reply.message);
      },
      () => isCurrent && setProblem(notPrepared),
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [attempt]);
  return { offer, problem, renew };
}

const notPrepared = "Couldn’t prepare the signature. Check your connection, then try again.";

/** The form that requests the statement for these questions and this answer. */
function offerForm(several: InboxApproval[], { optionId, otherText, note, values }: Record<string, string>) {
  const form = new URLSearchParams();
  for (const { _id, contentHash } of several) {
    form.append("ids", _id);
    form.append("seen", contentHash);
  }
  for (const [name, value] of Object.entries({ optionId, otherText, note, values }))
    if (value !== undefined) form.set(name, value);
  return form;
}
