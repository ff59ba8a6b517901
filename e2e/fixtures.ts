import { randomBytes } from "node:crypto";
import { test as base, expect, type Page } from "@playwright/test";
import { encode } from "next-auth/jwt";
import type { Approval, NewApproval } from "@/lib/approvals/schema";
import { registerApp } from "@/lib/apps/apps";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import type { NewNotification } from "@/lib/notifications/schema";
import { createSession } from "@/lib/owners/sessions";
import { type Scope, scopeNames } from "@/lib/scopes";
import { anOwner } from "@/lib/testing/factories";
import { startService } from "@/lib/testing/service-process";
import { inDatabase, query } from "@/lib/testing/temporary-postgres";
import { sessionClaims, sessionCookie, sessionSecret } from "@/lib/web/session-cookie";

/** An owner's account. */
export type Owner = Awaited<ReturnType<typeof anOwner>>;

/** A connected app and its calls with a token. */
export type App = {
  clientId: string;
  name: string;
  token: string;
  /** Sends any API request with the app's token. */
  call(path: string, body?: unknown): Promise<Response>;
  /** Submits an approval. @returns its id */
  ask(approval: Partial<NewApproval>): Promise<string>;
  push(notification: Partial<NewNotification>): Promise<string>;
  read(id: string): Promise<Approval>;
};

/** A service without an owner, and the environment for its operator commands. */
export type EmptyService = { url: string; setupLink: string; environment: Record<string, string> };

/** The URL of the service under test. */
export const serviceUrl = () => process.env.E2E_URL as string;

export const test = base.extend<{
  owner: Owner;
  app: App;
  emptySettings: Record<string, string>;
  emptyService: EmptyService;
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed from the pattern.
  baseURL: async ({}, use) => use(serviceUrl()),
  /** A new owner with a signed-in browser. Other tests cover the sign-in itself. */
  owner: async ({ page }, use) => {
    const owner = await anOwner();
    await enter(page, owner);
    await use(owner);
  },
  /** An app of the owner with every scope. */
  app: async ({ owner }, use) => use(await anApp(owner)),
  /** Additional settings for `emptyService`. */
  emptySettings: [{}, { option: true }],
  /** A separate service without an owner. */
  emptyService: async ({ emptySettings }, use) => {
    const { DATABASE_URL = "", DATA_DIR = "" } = process.env;
    const name = `empty_${randomBytes(5).toString("hex")}`;
    await query(DATABASE_URL, `CREATE DATABASE ${name}`);
    const environment = { DATABASE_URL: inDatabase(DATABASE_URL, name), DATA_DIR, ...emptySettings };
    const service = await startService(environment);
    await expect.poll(service.output).toContain("/setup?token=");
    const setupLink = /http\S+\/setup\?token=\S+/.exec(service.output())?.[0] ?? "";
    await use({ url: service.url, setupLink, environment });
    await service.stop();
  },
});

export { expect };

/** Creates a session for the page's browser without the sign-in form. */
export async function enter(page: Page, { ownerId }: Pick<Owner, "ownerId">) {
  const userAgent = await page.evaluate(() => navigator.userAgent);
  const entrance = { ownerId, sessionVersion: 1 };
  const { id } = await createSession(entrance, { method: "password", userAgent, address: "127.0.0.1" });
  const value = await encode({ token: sessionClaims({ ...entrance, session: id }), secret: sessionSecret() });
  await page.context().addCookies([{ name: sessionCookie().name, value, url: serviceUrl() }]);
}

/** Uses the form, like a person. */
export async function signIn(page: Page, { email, password }: Pick<Owner, "email" | "password">) {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
}

/** Registers an app for the owner and gives it a token with these scopes. */
export async function anApp(owner: Owner, name?: string, scopes: Scope[] = scopeNames): Promise<App> {
  // Uses letters that look different, because look-alike names are rejected.
  const mark = randomBytes(5)
    .toString("hex")
    .replace(/./g, (digit) => "abdefghjkpqstuyx"[Number.parseInt(digit, 16)] ?? "");
  const called = name ?? `Courier ${mark}`;
  const { clientId } = await registerApp(owner, { name: called });
  const { token } = await createPersonalToken(owner, { clientId, scopes });

  const call = (path: string, body?: unknown) =>
    fetch(`${serviceUrl()}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const told = async <T>(reply: Response): Promise<T> => {
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  };
  const yesOrNo = [
    { id: "yes", label: "Yes" },
    { id: "no", label: "No" },
  ];
  return {
    clientId,
    name: called,
    token,
    call,
    ask: async (approval) => {
      const whole = { question: "Ship it?", options: yesOrNo, ...approval };
      return (await told<{ id: string }>(await call("/api/approvals", whole))).id;
    },
    push: async (notification) => {
      const whole = { title: "Backup finished", ...notification };
      return (await told<{ id: string }>(await call("/api/notifications", whole))).id;
    },
    read: async (id) => told<Approval>(await call(`/api/approvals/${id}`)),
  };
}
