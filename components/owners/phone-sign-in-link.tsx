"use client";
import { ActionForm } from "@/components/actions/action-form";
import { CopyableValue } from "@/components/ui/copyable-value";
import { SubmitButton } from "@/components/ui/submit-button";
import type { PhoneLink } from "@/lib/owners/sign-in-links";

/**
 * The button that creates a sign-in link for the owner's phone. The link's QR code replaces the
 * button.
 */
export const PhoneLinkForm = () => (
  <ActionForm act="phone.link" className="grid justify-items-start gap-3" success={(made) => <Made {...made} />}>
    <SubmitButton variant="primary">Show the QR code</SubmitButton>
  </ActionForm>
);

const Made = ({ link, code: { side, path } }: PhoneLink) => (
  <div className="grid justify-items-start gap-3">
    {/* Dark on white in every theme, so that cameras can read the code. */}
    <svg
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code for the sign-in link"
      className="size-64 max-w-full rounded-lg border border-line forced-color-adjust-none"
    >
      <path d={`M0 0h${side}v${side}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
    <p role="status">
      Scan the code with your phone’s camera, then tap <b>Sign in</b>. The code works once. It expires after five
      minutes. Don’t share the code, because it gives access to your account.
    </p>
    <details className="max-w-full">
      <summary className="link inline-flex min-h-11 items-center sm:min-h-8">No camera? Copy the link</summary>
      <CopyableValue label="Link" text={link} />
    </details>
  </div>
);
