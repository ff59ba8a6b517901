import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/styled-links";

/** Shown in place of the options if the answer needs a passkey and the owner has none. */
export const PasskeyMissing = () => (
  <Notice title="This answer needs your passkey">
    Add a passkey, then open this question again. <TextLink href="/settings/security">Add a passkey</TextLink>
  </Notice>
);
