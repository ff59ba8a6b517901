import { KeyLink } from "@/components/keyboard/key-link";
import { KeyButton } from "@/components/keyboard/use-shortcut";
import type { ButtonLook } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/styled-links";
import type { LinkedAccount } from "@/lib/integrations/accounts";
import type { Access } from "@/lib/integrations/providers/access-types";

/** The path to which the forms that start a link post. */
export const beginAddress = "/integrations/begin";

type BeginProps = ButtonLook & {
  /** Without an ID, a new account is linked. */
  account: Pick<LinkedAccount, "provider" | "kind"> & { id?: string };
  access: readonly Access[];
  className?: string;
  /** Whether the button has the keyboard shortcut. */
  keyed?: boolean;
  children: React.ReactNode;
};

/**
 * The button that sends the owner to a provider to link an account, reconnect it, or request more
 * access. A mail account gets a link to the password form instead.
 */
export function StartLink({ account, access, keyed = false, children, ...look }: BeginProps) {
  const { id, provider, kind } = account;
  const key = keyed ? { shortcut: "r", description: "Reconnect" } : {};
  if (kind === "mail")
    return (
      <KeyLink href={id ? `/integrations/link/mail?account=${id}` : "/integrations/link/mail"} {...key} {...look}>
        {children}
      </KeyLink>
    );
  return (
    <form action={beginAddress} method="post" className="contents">
      <input type="hidden" name="provider" value={provider} />
      {id ? <input type="hidden" name="account" value={id} /> : null}
      {access.map((each) => (
        <input key={each} type="hidden" name="access" value={each} />
      ))}
      <KeyButton type="submit" cap={false} {...key} {...look}>
        {children}
      </KeyButton>
    </form>
  );
}

/** The link that leaves a form to link or reconnect an account. */
export const CancelLink = ({ account }: { account: string | undefined }) => (
  <ButtonLink href={account ? `/integrations/${account}` : "/integrations/link"} variant="quiet">
    Cancel
  </ButtonLink>
);
