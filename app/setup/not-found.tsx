import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ButtonLink } from "@/components/ui/links";

export default function NoSetup() {
  return (
    <SignedOutLayout title="This set-up link does not work">
      <p>
        The service prints the link each time it starts without an owner. Copy the whole link: it ends with a long
        token. After the first account is created, set-up is closed.
      </p>
      <ButtonLink href="/sign-in" variant="primary" size="wide">
        Sign in
      </ButtonLink>
    </SignedOutLayout>
  );
}
