import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ButtonLink } from "@/components/ui/links";

export const metadata = { title: "Goodbye" };

export default function Goodbye() {
  return (
    <SignedOutLayout title="Your account is deleted" lead="Every app has lost its access, and your data is gone.">
      <ButtonLink href="/" size="wide">
        Go to the home page
      </ButtonLink>
    </SignedOutLayout>
  );
}
