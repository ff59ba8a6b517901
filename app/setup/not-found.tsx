import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ButtonLink } from "@/components/ui/links";

export default function NoSetup() {
  return (
    <SignedOutLayout title="This set-up link does not work">
      <p>
        The link is printed in the service's output each time it starts without an owner. Copy it whole: it ends with a
        long token. Once the first account exists, set-up is closed.
      </p>
      <ButtonLink href="/sign-in" variant="primary" size="wide">
        Sign in
      </ButtonLink>
    </SignedOutLayout>
  );
}
