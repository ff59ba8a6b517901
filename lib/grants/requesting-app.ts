import type { OwnerActor } from "@/lib/actor";
import { hasNameConflict } from "@/lib/apps/name-conflicts";
import type { AppKind } from "@/lib/apps/schema";
import type { Executor } from "@/lib/database/sql";
import type { App, Prisma } from "@/lib/generated/prisma/client";
import type { ConsentView } from "./schema";

type Asker = Prisma.AppGetPayload<{ include: { owner: true } }>;

/** Returns verifiable facts about the requesting app, which help the owner decide. */
export async function describeRequestingApp(owner: OwnerActor, app: Asker, on?: Executor): Promise<ConsentView["app"]> {
  return {
    clientId: app.id,
    name: app.name,
    registeredAt: app.createdAt.getTime(),
    ...appIdentity(app),
    ...(app.owner && { registeredBy: app.owner.name, yours: app.ownerId === owner.ownerId }),
    namesake: await hasNameConflict(owner, app, on),
  };
}

/** Returns the kind of app and, if it has a metadata document, the document's host. */
export const appIdentity = (app: Pick<App, "kind" | "metadataUrl">): { kind: AppKind; clientHost?: string } => ({
  kind: app.kind as AppKind,
  ...(app.metadataUrl !== null && { clientHost: new URL(app.metadataUrl).host }),
});
