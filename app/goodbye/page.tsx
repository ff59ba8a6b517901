import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ButtonLink } from "@/components/ui/styled-links";

export const metadata = { title: "Account deleted" };

export default function Goodbye() {
  return (
    <SignedOutLayout
      title="Your account was deleted"
      lead="We deleted your data and keep the activity log under an anonymous ID. Apps no longer have access."
    >
      <ButtonLink href="/" size="wide">
        Go to the home page
      </ButtonLink>
    </SignedOutLayout>
  );
}
