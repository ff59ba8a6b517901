import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, onTestFinished } from "vitest";
import { resolveApproval } from "@/lib/approvals/approvals";
import { db } from "@/lib/database/db";
import { freePort } from "@/lib/net/free-port";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import { sendingTo } from "./app-with-webhook";
import { unset } from "./change-settings";
import { eventually } from "./eventually";
import { anApp, anOwner } from "./factories";
import { npmFolder } from "./npm-install-folder";
import { consent, oauthService } from "./oauth-service";
import { sendAll } from "./send-due-webhooks";
import { testWith } from "./test-with-programs";

// Runs examples/web-app unchanged with a simulated browser.
const { url: service } = await oauthService();
afterAll(() => unset(["ALLOW_PRIVATE_FETCH", "WEBHOOK_SCHEDULE"]));

async function theApp(skip: (reason: string) => never) {
  const { dependencies } = JSON.parse(readFileSync("examples/web-app/package.json", "utf8"));
  const { countersign: _, ...others } = dependencies as Record<string, string>;
  const { folder } = await npmFolder(others, skip);
  cpSync("examples/web-app", folder, { recursive: true, filter: (path) => !path.endsWith("package.json") });

  const APP_URL = `http://localhost:${await freePort()}`;
  sendingTo([APP_URL]);
  const registrar = await anOwner();
  const { clientId, clientSecret } = await anApp(registrar, { redirectUris: [`${APP_URL}/callback`] });
  const { secret } = await addEndpoint(registrar, clientId, { url: `${APP_URL}/hooks` });
  const environment = {
    ...{ APP_URL, COUNTERSIGN_URL: service, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
    ...{ WEBHOOK_SECRET: secret, SESSION_SECRET: "of this test" },
  };
  let child: ChildProcess | undefined;
  let said = "";
  const stop = async () => {
    const ended = child && new Promise((closed) => child?.on("close", closed));
    child?.kill("SIGKILL");
    await ended;
  };
  onTestFinished(stop);
  const start = async () => {
    child = spawn(process.execPath, ["main.mjs"], { cwd: folder, env: { ...process.env, ...environment } });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (said += text));
    await eventually(() => fetch(APP_URL));
  };
  const stored = () => JSON.parse(readFileSync(join(folder, "store.json"), "utf8"));
  return { APP_URL, secret, start, stop, stored, said: () => said };
}

/** Creates a simple browser that stores the app's cookie and does not follow redirects. */
function aBrowser(APP_URL: string) {
  let cookie = "";
  return async (path: string, form?: Record<string, string>) => {
    const how = form ? { method: "POST", body: new URLSearchParams(form) } : {};
    const reply = await fetch(new URL(path, APP_URL), { ...how, headers: { cookie }, redirect: "manual" });
    cookie = reply.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return { status: reply.status, to: reply.headers.get("location") ?? "", text: await reply.text() };
  };
}

testWith(
  ["npm"],
  "acts once on a verified answer in the example web-app",
  async (skip) => {
    const { APP_URL, secret, start, stop, stored, said } = await theApp(skip);
    await start();
    const owner = await anOwner();
    const visit = aBrowser(APP_URL);
    const approvalOf = (build: number) =>
      db.approval.findFirstOrThrow({ where: { ownerId: owner.ownerId, question: `Ship build ${build}?` } });
    const ask = async (build: number) => {
      expect(await visit("/deployments", { build: String(build) })).toMatchObject({ status: 302, to: "/" });
      return (await approvalOf(build)).id;
    };
    const answer = (id: string, optionId: string) => resolveApproval(owner, id, { kind: "option", optionId });
    const shows = (line: string) => expect.poll(async () => (await visit("/")).text).toContain(line);
    const times = (words: string) => said().split(words).length - 1;

    // A denial, a foreign callback or a missing scope connects no one.
    expect(await visit("/deployments", { build: "1" })).toMatchObject({ to: "/connect" });
    const denied = await visit(await consent(owner, (await visit("/connect")).to, { allow: false, scopes: [] }));
    expect(denied).toMatchObject({ status: 400, text: "Not connected: access_denied" });
    expect((await aBrowser(APP_URL)("/callback?code=x&state=y")).status).toBe(400);
    const less = await visit(await consent(owner, (await visit("/connect")).to, { scopes: ["approvals:write"] }));
    expect(less.text).toBe("Allow approvals:read as well");
    expect(await visit(await consent(owner, (await visit("/connect")).to))).toMatchObject({ status: 302, to: "/" });

    // The build ships only once, although the event arrives twice.
    const approved = await ask(420);
    await shows("Build 420: waiting for the owner");
    await answer(approved, "ship");
    await sendAll();
    await shows("Build 420: shipped");
    await eventually(async () => expect((await outcomes(approved)).at(-1)).toBe("done"));
    expect(await outcomes(approved)).toEqual(["started", "done"]);

    // A webhook counts only with a valid signature, and only for the owner who was asked.
    const declined = await ask(421);
    const send = async (sub: string, id: string, key = secret) => {
      const body = JSON.stringify({ id: "evt_1", type: "approval.resolved", createdAt: 1, sub, data: { id } });
      const [now, at] = [new Date(), Math.floor(Date.now() / 1000)];
      const signature = new Webhook(key).sign("evt_1", now, body);
      const headers = {
        ...{ "webhook-id": "evt_1", "webhook-timestamp": String(at), "webhook-signature": signature },
        "content-type": "application/json",
      };
      return (await fetch(`${APP_URL}/hooks`, { method: "POST", headers, body })).status;
    };
    expect(await send(owner.ownerId, approved, `whsec_${Buffer.from("another").toString("base64")}`)).toBe(400);
    expect(await send(owner.ownerId, approved)).toBe(204);
    await answer(declined, "wait");
    expect(await send("own_other", declined)).toBe(204);
    // Waits far longer than the app needs to act on an event.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await shows("Build 421: waiting for the owner");
    await sendAll();
    await shows("Build 421: not shipped");
    expect(await outcomes(declined)).toEqual([]);

    // The app refreshes its expired access token, and stores the new refresh token.
    const before = stored().tokens[owner.ownerId];
    await db.token.updateMany({ where: { grant: { ownerId: owner.ownerId } }, data: { expiresAt: new Date(0) } });
    const later = await ask(422);
    expect(stored().tokens[owner.ownerId].refreshToken).not.toBe(before.refreshToken);

    // After a restart, the app reads an answer that was given while it was stopped.
    await stop();
    await answer(later, "ship");
    await start();
    await eventually(async () => expect((await outcomes(later)).at(-1)).toBe("done"));
    expect([420, 421, 422].map((build) => times(`Shipping build ${build}\n`))).toEqual([1, 0, 1]);
  },
  300_000,
);

/** Returns the outcomes reported for an approval, oldest first. */
const outcomes = async (approvalId: string) =>
  (await db.approvalOutcome.findMany({ where: { approvalId }, orderBy: { nth: "asc" } })).map(({ status }) => status);
