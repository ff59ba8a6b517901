import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { buttonClass } from "@/components/ui/button";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <SignedOutLayout title="There is nothing at this address">
      <p className="text-muted">It may have been removed, or it belongs to somebody else.</p>
      {/* A plain link: what this page needs travels with every other page too. */}
      <a href="/" className={buttonClass({ variant: "primary", size: "wide" })}>
        Go to the home page
      </a>
    </SignedOutLayout>
  );
}
