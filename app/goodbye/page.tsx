import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ButtonLink } from "@/components/ui/styled-links";

export const metadata = { title: "Goodbye" };

export default function Goodbye() {
  return (
    <SignedOutLayout title="Your account is deleted" lead="All apps have lost their access, and your data is deleted.">
      <ButtonLink href="/" size="wide">
        Go to the home page
      </ButtonLink>
    </SignedOutLayout>
  );
}
