import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { PlainLink } from "@/components/ui/styled-links";
import { LazyReceiptVerifier } from "@/components/verify/lazy-receipt-verifier";
import { env } from "@/lib/config/env";
import { publishedKeys } from "@/lib/receipts/receipt-keys";

export const metadata = { title: "Check a receipt" };

/** Checks a receipt for anyone, in the visitor's browser. The page needs no sign-in. */
export default async function Verify() {
  return (
    <SignedOutLayout
      title="Check a receipt"
      lead={
        <>
          Find out what a receipt proves. Your browser checks the receipt, and sends it nowhere. See{" "}
          <PlainLink href="/docs/receipts">Deadlines and receipts</PlainLink>.
        </>
      }
    >
      <LazyReceiptVerifier issuer={env().publicUrl} jwks={await publishedKeys()} />
      <p className="hidden noscript:block">
        This check needs JavaScript. Without JavaScript, use the commands on{" "}
        <PlainLink href="/docs/receipts">Deadlines and receipts</PlainLink>.
      </p>
    </SignedOutLayout>
  );
}
