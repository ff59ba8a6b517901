"use client";
import { useEffect, useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { TextLink } from "@/components/ui/styled-links";
import type { Fingerprint } from "@/lib/lens/fingerprint";
import type { QrCode } from "@/lib/text/qr-code";

type StatementFingerprintProps = {
  /** The statement as the passkey signs it: canonical JSON. */
  statement: string;
  /** The signing request: the statement, with everything that it contains only as a hash. */
  request: string;
  /** The URL of the operator's lens; by default, the lens that the service itself serves. */
  lens?: string | undefined;
};

/**
 * The fingerprint of what the passkey will sign, and the signing request for the lens. The owner can
 * open the request on another device, which must show the same question and the same words.
 */
export function StatementFingerprint({ statement, request, lens = "/lens" }: StatementFingerprintProps) {
  const [shown, show] = useState<Fingerprint>();
  const [code, setCode] = useState<QrCode | "too long">();
  useEffect(() => {
    let isCurrent = true;
    import("@/lib/lens/fingerprint")
      .then((it) => it.fingerprintOf(statement))
      .then(
        (made) => isCurrent && show(made),
        () => {},
      );
    return () => {
      isCurrent = false;
    };
  }, [statement]);
  // A new statement needs a new code.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the code shows this request
  useEffect(() => setCode(undefined), [request]);
  const draw = () =>
    import("@/lib/text/qr-code").then((it) => it.drawQrCode(request)).then(setCode, () => setCode("too long"));
  return (
    <details className="text-start" onToggle={(event) => event.currentTarget.open && !code && void draw()}>
      <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-2 text-muted hover:text-ink">
        <span className="underline underline-offset-3">Check on another device</span>
        {shown ? <span className="mono">{shown.groups.join(" ")}</span> : null}
      </summary>
      <div className="grid grid-cols-1 gap-3 pt-1">
        {shown ? <p className="font-medium">{shown.words.join(" ")}</p> : null}
        <p className="text-muted">
          Open the <TextLink href={lens}>lens</TextLink> on another device, and give it this request. The lens must show
          the same question, the same answer and the same words.
        </p>
        {code && code !== "too long" ? (
          // Dark on white in every theme, so that cameras can read the code.
          <svg
            viewBox={`0 0 ${code.side} ${code.side}`}
            shapeRendering="crispEdges"
            role="img"
            aria-label="QR code of the signing request"
            className="size-64 max-w-full justify-self-center rounded-lg border border-line forced-color-adjust-none"
          >
            <path d={`M0 0h${code.side}v${code.side}H0z`} fill="#fff" />
            <path d={code.path} fill="#000" />
          </svg>
        ) : null}
        {code === "too long" ? <p>The request is too long for a QR code. Copy it instead.</p> : null}
        <div>
          <CopyButton text={request} label="Copy the request" />
        </div>
      </div>
    </details>
  );
}
