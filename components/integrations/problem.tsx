import { Notice } from "@/components/ui/notice";
import type { LinkedAccount } from "@/lib/integrations/accounts";
import type { Access } from "@/lib/integrations/providers/access";
import { StartLink } from "./start-link";

/** Why a way to a provider and back led to nothing. */
export type LinkProblem = "denied" | "expired" | "not_yours" | "provider" | "not_set_up" | "busy";

const told: Record<LinkProblem, (name: string) => readonly [title: string, text: string]> = {
  denied: (name) => [
    `You said no at ${name}`,
    "Nothing was linked. To link the account after all, go on below; you may allow less than you tick here.",
  ],
  expired: () => [
    "That took too long, or was done already",
    "You have ten minutes to come back, once. Nothing was linked by this. Start again below.",
  ],
  not_yours: () => [
    "This was started in another browser, or before you last signed in",
    "Nothing was linked, so that nobody can link their account to yours. Start again below, in this browser.",
  ],
  provider: (name) => [
    `${name} could not be reached`,
    "It gave no answer, or one we cannot use. Nothing was linked. Try again in a few minutes; if it keeps happening, tell your operator.",
  ],
  not_set_up: (name) => [`${name} is not set up here`, "Nothing was linked."],
  busy: () => ["Too many attempts", "Nothing was linked. Try again in a few minutes."],
};

export const isLinkProblem = (text: unknown): text is LinkProblem =>
  typeof text === "string" && Object.hasOwn(told, text);

/** What went wrong, and what to do now. */
export function Problem({ problem, name }: { problem: LinkProblem; name: string }) {
  const [title, text] = told[problem](name);
  return (
    <Notice tone="danger" title={title}>
      {text}
    </Notice>
  );
}

type OtherAccountProps = {
  /** The one that was to be connected again. */
  account: Pick<LinkedAccount, "id" | "provider" | "kind" | "email" | "providerName">;
  /** The one that came back, if it is known. */
  email: string | undefined;
  asked: readonly Access[];
};

/** The owner came back with another account than they set out with: to try again, or to have both. */
export function OtherAccount({ account, email, asked }: OtherAccountProps) {
  const { provider, kind, providerName } = account;
  return (
    <div className="grid gap-4">
      <Notice
        tone="danger"
        title={email ? `That was ${email}, not ${account.email}` : `That was a different account from ${account.email}`}
      >
        Nothing was changed. {providerName} will ask you again which account it is: pick the right one there.
      </Notice>
      <div className="flex flex-wrap gap-3 max-sm:grid">
        <StartLink account={account} asked={asked} variant="primary" className="max-sm:min-h-12">
          Try again with {account.email}
        </StartLink>
        <StartLink account={{ provider, kind }} asked={asked} className="max-sm:min-h-12">
          Add {email ?? "the other one"} as a second account
        </StartLink>
      </div>
    </div>
  );
}
