import { randomBytes } from "node:crypto";
import { test as base, type Page } from "@playwright/test";
import type { Approval, NewApproval } from "@/lib/approvals/schema";
import { registerApp } from "@/lib/apps/apps";
import { createPersonalToken } from "@/lib/grants/tokens";
import type { NewNotification } from "@/lib/notifications/schema";
import { createOwner } from "@/lib/owners/owners";
import { type Scope, scopeNames } from "@/lib/scopes";

/** Someone with an account. */
export type Owner = { kind: "owner"; ownerId: string; email: string; name: string; password: string };

/** An app that an owner let in, and what it does with its token. */
export type App = {
  clientId: string;
  name: string;
  token: string;
  /** Any request to the API with its token. */
  call(path: string, body?: unknown): Promise<Response>;
  /** Submit an approval. @returns its id */
  ask(approval: Partial<NewApproval>): Promise<string>;
  push(notification: Partial<NewNotification>): Promise<string>;
  read(id: string): Promise<Approval>;
};

/** Where the service under test is. */
export const serviceUrl = () => process.env.E2E_URL as string;

export const test = base.extend<{ owner: Owner; app: App }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed from the pattern.
  baseURL: async ({}, use) => use(serviceUrl()),
  /** A new owner, whose page is signed in. */
  owner: async ({ page }, use) => {
    const owner = await anOwner();
    await signIn(page, owner);
    await use(owner);
  },
  /** An app of the owner's, with every scope. */
  app: async ({ owner }, use) => use(await anApp(owner)),
});

export { expect } from "@playwright/test";

/** Make an account, without the page. */
export async function anOwner(): Promise<Owner> {
  const mark = randomBytes(5).toString("hex");
  const who = { email: `olive-${mark}@example.com`, name: `Olive ${mark}`, password: `correct horse ${mark}` };
  return { kind: "owner", ...who, ...(await createOwner(who)) };
}

/** Through the form, as a person does. */
export async function signIn(page: Page, { email, password }: Pick<Owner, "email" | "password">) {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
}

/** Register an app for the owner and give it a token with these scopes. */
export async function anApp(owner: Owner, name?: string, scopes: Scope[] = scopeNames): Promise<App> {
  const called = name ?? `Courier ${randomBytes(5).toString("hex")}`;
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
