import type { SignedAnswer } from "@/lib/client/signed-answers";
import type { Resolution } from "@/lib/client/types";
import { table } from "../command";

/** What a verification established. `compared` lists the values that the caller expected. */
export type Verification = {
  kind: "receipt" | "approval";
  issuer: string;
  app: string;
  owner: string;
  approval: string;
  contentHash: string;
  resolution: Resolution;
  compared: string[];
  /** The signature of the owner's passkey, if it was verified. */
  passkey?: Omit<SignedAnswer, "yes">;
};

/** Describes what a verification proved, and which values were not compared. */
export function verificationText(verification: Verification): string {
  const { kind, compared, passkey } = verification;
  const how = (name: string) =>
    compared.includes(name) ? "as expected" : `not compared with an expected value (--${name})`;
  const rows = [
    ["issuer", visible(verification.issuer), kind === "receipt" ? "signed the receipt" : "did not sign the approval"],
    ["passkey", ...describePasskey(passkey)],
    ["app", visible(verification.app), how("app")],
    ["owner", visible(verification.owner), how("owner")],
    ["approval", visible(verification.approval), how("approval")],
    ["content", visible(verification.contentHash), how("content")],
  ];
  return `Verified: ${answerIn(verification)}\n\n${table(rows)}`;
}

function describePasskey(passkey: Verification["passkey"]): [string, string] {
  if (!passkey) return ["-", "not verified (--keys)"];
  const { credentialId, synced, counter, offeredAt } = passkey;
  const kind = synced ? "can be synced" : "bound to one device";
  return [visible(credentialId), `signed after ${new Date(offeredAt).toISOString()}, ${kind}, counter ${counter}`];
}

function answerIn({ resolution }: Verification): string {
  const { resolvedBy, kind, optionId, otherText, values, note } = resolution;
  const who = resolvedBy === "owner" ? "the owner" : "the app, or its default, and not the owner,";
  const what = kind === "option" ? `chose the option ${quoted(optionId)}` : `answered ${quoted(otherText)}`;
  const more = [values && `the values ${quoted(values)}`, note !== undefined && `the note ${quoted(note)}`];
  const given = more.filter(Boolean).join(" and ");
  return `${who} ${what}${given && ` with ${given}`}.`;
}

/** Quotes a text, so that it cannot control the terminal or look like other output. */
const quoted = (value: unknown) => JSON.stringify(value).replaceAll(/[^ -~\p{L}\p{N}\p{P}\p{S}]/gu, escaped);
const escaped = (letter: string) =>
  letter.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Returns an ID as it is, and quotes any other text. */
const visible = (text: string) => (/^[\w:./-]+$/.test(text) ? text : quoted(text));
