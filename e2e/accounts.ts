import type { Page } from "@playwright/test";
import { db } from "@/lib/database/db";
import { publish } from "@/lib/events/pubsub";
import { aLinkedAccount } from "@/lib/testing/linked-account-rows";
import type { App, Owner } from "./fixtures";

type Row = NonNullable<Parameters<typeof aLinkedAccount>[1]>;

/** Links an account at the test provider with the given scopes and identity. @returns its id */
export const anAccountAtCorp = (owner: Owner, { scopes = [], ...more }: Omit<Row, "scopes"> & { scopes?: string[] }) =>
  aLinkedAccount(owner, {
    provider: "corp",
    issuer: "https://corp.example",
    scopes: ["openid", "email", ...scopes],
    ...more,
  });

/** Stores the result of a check and publishes the change. */
export async function becomes(owner: Owner, id: string, now: Row) {
  await db.integration.update({ where: { id }, data: now });
  await db.event.create({
    data: { ownerId: owner.ownerId, type: "integration.status_changed", subject: id, data: { to: String(now.status) } },
  });
  publish(owner.ownerId);
}

/** The row of an account in the list. */
export const accountRow = (page: Page, name: string) =>
  page.locator("[data-account]").filter({ has: page.getByRole("heading", { name }) });

/** The linked accounts that an app reads. */
export const seenBy = async (app: App) =>
  ((await (await app.call("/api/integrations")).json()) as { data: { id: string; status: string; email: string }[] })
    .data;
