import { SignedOutLayout } from "@/components/layout/signed-out-layout";
import { ButtonLink } from "@/components/ui/links";

export default function NoSetup() {
  return (
    <SignedOutLayout title="This setup link doesn’t work">
      <p>
        Copy the whole link from the service’s output, with the long token at its end. The link stops working once the
        first account is created.
      </p>
      <ButtonLink href="/sign-in" variant="primary" size="wide">
        Sign in
      </ButtonLink>
    </SignedOutLayout>
  );
}
