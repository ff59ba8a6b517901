import { Notice } from "@/components/ui/notice";
import type { LinkedAccount } from "@/lib/integrations/accounts";
import type { Access } from "@/lib/integrations/providers/access-types";
import { StartLink } from "./start-account-link";

/** Why a link attempt failed. */
export type LinkProblem = "denied" | "expired" | "not_yours" | "provider" | "not_set_up" | "busy";

const messages: Record<LinkProblem, (name: string) => readonly [title: string, text: string]> = {
  denied: (name) => [
    `You denied access to your ${name} account`,
    "Nothing was linked. To try again, select only the permissions that you want to allow.",
  ],
  expired: () => [
    "This link attempt has expired",
    "The attempt took more than ten minutes or was already completed. Nothing was linked. Start again below.",
  ],
  not_yours: () => [
    "This link attempt started in another browser, or before you last signed in",
    "Nothing was linked, to protect your account. Start again below, in this browser.",
  ],
  provider: (name) => [
    `Couldn’t connect to ${name}`,
    "The provider didn’t respond, or sent a response we couldn’t use. Nothing was linked. Try again in a few minutes. If the problem continues, contact your operator.",
  ],
  not_set_up: (name) => [
    `${name} isn’t set up on this service`,
    `Nothing was linked. Ask your operator to set up ${name}.`,
  ],
  busy: () => ["Too many attempts", "Nothing was linked. Try again in a few minutes."],
};

export const isLinkProblem = (text: unknown): text is LinkProblem =>
  typeof text === "string" && Object.hasOwn(messages, text);

/** Explains the error and the next step. */
export function Problem({ problem, name }: { problem: LinkProblem; name: string }) {
  const [title, text] = messages[problem](name);
  return (
    <Notice tone="danger" title={title}>
      {text}
    </Notice>
  );
}

type OtherAccountProps = {
  /** The account that was to be reconnected. */
  account: Pick<LinkedAccount, "id" | "provider" | "kind" | "email" | "providerName">;
  /** The email of the account that the provider returned, if known. */
  email: string | undefined;
  access: readonly Access[];
};

/**
 * Shown when the provider returned a different account. The owner can try again, or link the
 * returned account as a second one.
 */
export function OtherAccount({ account, email, access }: OtherAccountProps) {
  const { provider, kind, providerName } = account;
  return (
    <div className="grid gap-4">
      <Notice
        tone="danger"
        title={email ? `You chose ${email}, not ${account.email}` : `You didn’t choose ${account.email}`}
      >
        No changes were made. When {providerName} asks which account to use, choose {account.email}.
      </Notice>
      <div className="flex flex-wrap gap-3 max-sm:grid">
        <StartLink account={account} access={access} variant="primary" className="max-sm:min-h-12">
          Try again with {account.email}
        </StartLink>
        <StartLink account={{ provider, kind }} access={access} className="max-sm:min-h-12">
          Link {email ?? "the other account"} as a second account
        </StartLink>
      </div>
    </div>
  );
}
