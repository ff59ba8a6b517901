import { KeyLink } from "@/components/keys/key-link";
import { KeyButton } from "@/components/keys/shortcut";
import type { ButtonLook } from "@/components/ui/button";
import type { LinkedAccount } from "@/lib/integrations/accounts";
import type { Access } from "@/lib/integrations/providers/access";

/** Where a form that leads to a provider is sent. */
export const beginAddress = "/integrations/begin";

type BeginProps = ButtonLook & {
  /** Without an id it is a new one. */
  account: Pick<LinkedAccount, "provider" | "kind"> & { id?: string };
  asked: readonly Access[];
  className?: string;
  /** Whether it has the key for it. */
  keyed?: boolean;
  children: React.ReactNode;
};

/**
 * One press to the account's provider, to connect it again or to ask it for more; to the form for its password where it is a
 * mail account. A plain form: the reply leads away from here.
 */
export function StartLink({ account, asked, keyed = false, children, ...look }: BeginProps) {
  const { id, provider, kind } = account;
  const key = keyed ? { shortcut: "r", says: "Reconnect" } : {};
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
      {asked.map((access) => (
        <input key={access} type="hidden" name="access" value={access} />
      ))}
      <KeyButton type="submit" cap={false} {...key} {...look}>
        {children}
      </KeyButton>
    </form>
  );
}
