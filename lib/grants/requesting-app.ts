import type { OwnerActor } from "@/lib/actor";
import { hasNameConflict } from "@/lib/apps/name-conflicts";
import type { AppKind } from "@/lib/apps/schema";
import type { Executor } from "@/lib/database/sql";
import type { App } from "@/lib/generated/prisma/client";
import { nameOfOwner } from "@/lib/owners/find-accounts";
import type { ConsentView } from "./schema";

/** Returns the name of the owner who registered an app, if any. */
export const registrarOf = async ({ ownerId }: Pick<App, "ownerId">): Promise<string | undefined> =>
  ownerId === null ? undefined : nameOfOwner(ownerId);

/**
 * Returns verifiable facts about the requesting app, which help the owner decide.
 * @param registrar see `registrarOf`
 */
export async function describeRequestingApp(
  owner: OwnerActor,
  app: App,
  registrar: string | undefined,
  on?: Executor,
): Promise<ConsentView["app"]> {
  return {
    clientId: app.id,
    name: app.name,
    registeredAt: app.createdAt.getTime(),
    ...appIdentity(app),
    ...(registrar !== undefined && { registeredBy: registrar, yours: app.ownerId === owner.ownerId }),
    namesake: await hasNameConflict(owner, app, on),
  };
}

/** Returns the kind of app and, if it has a metadata document, the document's host. */
export const appIdentity = (app: Pick<App, "kind" | "metadataUrl">): { kind: AppKind; clientHost?: string } => ({
  kind: app.kind as AppKind,
  ...(app.metadataUrl !== null && { clientHost: new URL(app.metadataUrl).host }),
});
