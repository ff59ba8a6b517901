import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { dumpDatabase } from "@/e2e/dump-database";
import { sealedRows } from "@/lib/cli/all-encrypted-tables";
import { db } from "@/lib/database/db";
import { inHomeOf } from "@/lib/database/shards/marks";
import { rotateKeys } from "@/lib/keys/rotation";
import { exportData } from "@/lib/owner-data/data-export";
import { configure } from "@/lib/testing/change-settings";
import { eraseRemoved, keepAlive } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { leaked } from "@/lib/testing/find-secrets-in-text";
import { startIdentityProvider, type TestIdentity } from "@/lib/testing/identity-provider";
import { signInByScript } from "@/lib/testing/oidc/scripted-sign-in";
import { aWorkingAccount, makeDue } from "@/lib/testing/working-linked-accounts";
import { testNow } from "./account-check-worker";
import { disconnect } from "./disconnect-account";
import { beginLink, finishLink } from "./link-account";
import { listIntegrations } from "./list-integrations";
import { ProviderFault } from "./providers/provider";

let corp: TestIdentity;
beforeAll(async () => {
  corp = await startIdentityProvider("corp");
  configure({ OIDC_PROVIDERS: JSON.stringify([corp.setting]), ALLOW_PRIVATE_FETCH: corp.origin });
});
afterAll(() => corp.close());

test("stores credentials only in the vault", async () => {
  const { owner, app } = await anAppWith("approvals:read");
  const grant = await db.grant.findFirstOrThrow({ where: { ownerId: owner.ownerId } });
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  let seen = "";
  /** Appends to `seen` what the database contains, an app reads, and the owner exports. */
  const look = async () => {
    const { text } = await listIntegrations({ ...app });
    seen += [text, await dumpDatabase()].join("\n");
    for await (const piece of exportData(owner)) seen += piece;
  };

  const asked = ["mail.read", "calendar.read"] as const;
  const { location } = await beginLink(owner, { provider: "corp", asked });
  await look();
  const outcome = await finishLink(owner, "corp", await signInByScript(location, { account: "canary" }));
  if (outcome.kind !== "linked") throw new Error(outcome.kind);
  const { integrationId: id } = outcome;
  await db.grantIntegration.create({ data: { ownerId: owner.ownerId, grantId: grant.id, integrationId: id } });
  await look();

  await makeDue(id);
  expect(await keepAlive()).toBe(1);
  await look();
  await db.integration.update({ where: { id }, data: { checkedAt: null } });
  expect(await inHomeOf(owner.ownerId, () => testNow(owner, id))).toEqual({ status: "connected", waiting: false });
  await rotateKeys(sealedRows);
  await look();
  // With each of these faults, the provider returns an error that repeats part of the request.
  for (const how of ["broken", "garbage", "down", "refused"] as const) {
    corp.fault("refresh", how, "canary");
    await makeDue(id);
    expect(await keepAlive()).toBe(1);
    corp.heal();
    await look();
  }
  expect(await db.integration.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "needs_reauth" });
  await disconnect(owner, id);
  await db.$executeRaw`UPDATE integration SET erase_at = now() - interval '1 second' WHERE id = ${id}`;
  corp.fault("revocation", "broken");
  expect(await eraseRemoved()).toBe(1);
  await look();

  const password = 'a pass/word & "four" more';
  const host = { host: "mail.example", port: 993, tls: true };
  const mail = { kind: "mail", user: "robin", password, imap: host } as const;
  await aWorkingAccount({ owner, provider: "mail", credential: mail });
  const refusing = () => ({
    check: () => Promise.reject(new ProviderFault("password_rejected", true, "it was refused")),
    revoke: async () => {},
  });
  expect(await keepAlive({ clientFor: refusing })).toBe(1);
  await look();
  seen += [...stderr.mock.calls, ...stdout.mock.calls].map(([text]) => String(text)).join("");
  stderr.mockRestore();
  stdout.mockRestore();

  const state = new URL(location).searchParams.get("state") ?? "";
  const issued = corp.issued("canary").map(({ value }) => value);
  expect(issued.length).toBeGreaterThanOrEqual(5);
  expect(seen).toContain("integration.status_changed");
  expect(leaked(seen, [...issued, corp.clientSecret, state, password])).toEqual([]);
});

test("detects a leaked secret", async () => {
  const [plain, bytes] = ["a secret in clear", "a secret in bytes"];
  const { id } = await aWorkingAccount({ due: false });
  await db.integration.update({ where: { id }, data: { label: plain } });
  await db.integrationSecret.update({
    where: { integrationId: id },
    data: { sealed: Buffer.from(`{"a":"${bytes}"}`) },
  });
  const found = leaked(await dumpDatabase(), [plain, bytes]);
  expect(found).toContain("secret 0 as plain");
  expect(found).toContain("secret 1 as hex");
});
