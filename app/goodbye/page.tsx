import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ButtonLink } from "@/components/ui/styled-links";

export const metadata = { title: "Account deleted" };

export default function Goodbye() {
  return (
    <SignedOutLayout title="Your account was deleted" lead="Your data was deleted. Apps no longer have access.">
      <ButtonLink href="/" size="wide">
        Go to the home page
      </ButtonLink>
    </SignedOutLayout>
  );
}
