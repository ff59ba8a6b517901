import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { buttonClass } from "@/components/ui/button";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <SignedOutLayout title="Page not found">
      {/* A plain link, because every page loads this page's code. */}
      <a href="/" className={buttonClass({ variant: "primary", size: "wide" })}>
        Go to the home page
      </a>
    </SignedOutLayout>
  );
}
