import { choseOption } from "@/lib/client/answer";
import { type Content, contentHash } from "@/lib/client/content-hash";
import { VerificationError } from "@/lib/client/errors";
import { type Jwks, type ReceiptChecks, verifyReceipt } from "@/lib/client/receipts";
import { type SignedAnswerChecks, verifySignedAnswer } from "@/lib/client/signed-answers";
import { type Command, type CommandOptions, OperatorError, UsageError } from "../command";
import { parseTime } from "../parse-time";
import { type Verification, verificationText } from "./verification-text";
import { readContent, readDocument, readPinnedKeys, readServiceKeys, type VerifiedDocument } from "./verified-document";

/** The values that must match. A value that the caller did not give is taken from the document. */
const comparable = ["app", "owner", "approval", "content"] as const;

/**
 * Verifies a receipt or an approval from the API, without an account and without a token. It trusts
 * only the keys that the caller gives, or the service's published keys for a receipt.
 */
export const verifyCommand: Command = {
  behind: "nothing",
  async run(given, [path = ""]) {
    const issuer = given.one("issuer") ?? process.env.COUNTERSIGN_URL;
    if (!issuer || !URL.canParse(issuer)) throw new UsageError("--issuer must be a URL like https://yes.example.com.");
    if (given.has("keys") && !given.has("asked-at") && !given.has("accept-new-keys"))
      throw new UsageError("--keys requires --asked-at or --accept-new-keys.");
    const document = readDocument(path);
    if (document.kind === "approval" && !given.has("keys"))
      throw new UsageError("An approval is not signed by the service. Add --keys with the owner's keys.");
    const { verification, yes } = await verified(document, issuer.replace(/\/$/, ""), given).catch(refused);
    const option = given.one("option");
    if (option !== undefined && !yes(option))
      throw new OperatorError(`The owner did not choose the option ${JSON.stringify(option)}.`);
    return { json: { valid: true, ...verification }, text: verificationText(verification) };
  },
};

type Verified = { verification: Verification; yes: (option: string) => boolean };

async function verified(document: VerifiedDocument, issuer: string, given: CommandOptions): Promise<Verified> {
  const keys = given.has("keys") ? readPinnedKeys(given.one("keys") ?? "") : undefined;
  const pinnedOwner = given.one("owner") ?? keys?.owner;
  const expectedHash = await expectedHashOf(given);
  const claimed =
    document.kind === "receipt"
      ? await verifiedReceipt(document.jws, issuer, pinnedOwner, expectedHash, given)
      : document;
  const owner = pinnedOwner ?? ("owner" in claimed ? claimed.owner : undefined);
  if (owner === undefined) throw new UsageError("--owner is required, because the keys do not name the owner.");
  const wanted = {
    issuer,
    app: given.one("app") ?? claimed.app,
    owner,
    approvalId: given.one("approval") ?? claimed.id,
    contentHash: expectedHash ?? claimed.contentHash,
  };
  if (document.kind === "approval") await checkApproval(document, wanted);
  const { resolution } = claimed;
  const verification: Verification = {
    kind: document.kind,
    ...{ issuer, app: wanted.app, owner, approval: wanted.approvalId, contentHash: wanted.contentHash, resolution },
    compared: comparable.filter((name) => given.has(name) || (name === "owner" && pinnedOwner !== undefined)),
  };
  if (!keys) return { verification, yes: (option) => choseOption(resolution, option) };
  const { yes, ...passkey } = await verifySignedAnswer(resolution, {
    ...wanted,
    keys: keys.keys,
    ...((given.one("rp-id") ?? keys.rpId) !== undefined && { rpId: given.one("rp-id") ?? keys.rpId }),
    ...(given.has("origin") ? { origins: given.all("origin") } : keys.origins && { origins: keys.origins }),
    ...timeOf("asked-at", given, "askedAt"),
    ...(given.has("accept-new-keys") && { acceptNewKeys: true }),
  } as SignedAnswerChecks);
  return { verification: { ...verification, passkey }, yes };
}

/** Verifies the service's signature of a receipt, and the expected values. */
async function verifiedReceipt(
  jws: string,
  issuer: string,
  owner: string | undefined,
  expectedHash: string | undefined,
  given: CommandOptions,
) {
  const claims = unverifiedClaims(jws);
  const wantedOwner = owner ?? claims.owner;
  if (wantedOwner === undefined)
    throw new VerificationError("The receipt does not name its owner. Get the receipt from the service again");
  const receipt = await verifyReceipt(jws, {
    issuer,
    audience: given.one("app") ?? claims.aud,
    owner: wantedOwner,
    approvalId: given.one("approval") ?? claims.sub,
    ...(expectedHash !== undefined && { contentHash: expectedHash }),
    ...(given.has("jwks") && { jwks: readServiceKeys(given.one("jwks") ?? "") as Jwks }),
    ...timeOf("received-at", given, "receivedAt"),
    ...(given.has("allow-simulated") && { allowSimulated: true }),
  } as ReceiptChecks);
  const { aud, sub, resolution } = receipt;
  return {
    ...{ app: aud, owner: wantedOwner, id: sub, contentHash: receipt.contentHash },
    resolution,
  };
}

/** The caller may omit an expected value. Then the receipt's own value is expected. */
function unverifiedClaims(jws: string): { aud: string; owner: string | undefined; sub: string } {
  try {
    const claims = JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString());
    const owner = claims.owner === undefined ? undefined : String(claims.owner);
    return { aud: String(claims.aud), owner, sub: String(claims.sub) };
  } catch {
    throw new VerificationError("The receipt is not a compact JWS");
  }
}

async function checkApproval(
  { id, app, content, contentHash: hash }: Extract<VerifiedDocument, { kind: "approval" }>,
  wanted: { approvalId: string; app: string; contentHash: string },
) {
  if (hash !== (await hashOf(content)))
    throw new VerificationError("The approval's contentHash is not the hash of its content");
  for (const [name, value, expected] of [
    ["ID", id, wanted.approvalId],
    ["clientId", app, wanted.app],
    ["contentHash", hash, wanted.contentHash],
  ])
    if (value !== expected) throw new VerificationError(`The approval's ${name} does not match the expected value`);
}

const expectedHashOf = async (given: CommandOptions) =>
  given.has("content") ? hashOf(readContent(given.one("content") ?? "")) : undefined;

const hashOf = (content: Content) =>
  contentHash(content).catch(() => {
    throw new OperatorError("The question is malformed, so it has no content hash.");
  });

const timeOf = (option: string, given: CommandOptions, name: string) =>
  given.has(option) ? { [name]: parseTime(option, given.one(option) ?? "").getTime() } : {};

/** Turns a failed check into the command's error. */
function refused(error: unknown): never {
  if (error instanceof VerificationError) throw new OperatorError(`Not verified: ${error.message}.`);
  if (error instanceof Error && (error.message === "fetch failed" || error.name === "TimeoutError"))
    throw new OperatorError("Couldn't read the service's keys. Check --issuer, or pass the keys with --jwks.");
  throw error;
}
