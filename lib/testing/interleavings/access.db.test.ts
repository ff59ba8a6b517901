import { expect } from "vitest";
import { authenticate } from "@/lib/access/authorization";
import { type Client, requireClient } from "@/lib/apps/apps";
import { change } from "@/lib/events/change-transaction";
import { addScopes, getOrCreateGrant } from "@/lib/grants/create-and-change-grant";
import { revokeGrant } from "@/lib/grants/grants";
import { newId } from "@/lib/ids";
import { TokenError } from "@/lib/oauth/client-authentication";
import { refresh } from "@/lib/oauth/refresh";
import { issueTokens } from "@/lib/oauth/token-issuance";
import { aParty, bearer } from "@/lib/testing/oauth-flow";
import { explore, lanes } from "./explore";

/* What an owner takes back stays taken back, whatever an app does at the same moment. */

const connections = await Promise.all(
  Array.from({ length: lanes }, async () => {
    const { owner, app } = await aParty();
    return { owner, client: await requireClient(app.clientId) };
  }),
);

explore({
  title: "ends every token that is issued while the owner disconnects the app",
  passing: ["change committed, not published"],
  prepare: async (lane) => {
    const { owner, client } = connections[lane]!;
    const issued = await change(owner, async (tx) => {
      const { id: grantId, ownerId } = await getOrCreateGrant(tx, owner.ownerId, client.clientId);
      await addScopes(tx, { id: grantId, ownerId }, ["approvals:read"]);
      const beganAt = new Date(Date.now() + 60_000);
      const source = { client, grantId, ownerId, familyId: newId("fam"), beganAt };
      return issueTokens(tx, { ...source, scopes: ["approvals:read"], resource: "api" });
    });
    return { owner, client, refreshToken: issued.refreshToken! };
  },
  actors({ owner, client, refreshToken }) {
    const renew = () => renewed(client, refreshToken);
    return { again: renew, first: renew, owner: () => revokeGrant(owner, client.clientId) };
  },
  async check({ client }, { again, first, owner }) {
    if (owner.status === "rejected") throw owner.reason;
    const issued = [again, first].flatMap((it) => {
      if (it.status === "fulfilled") return [it.value];
      expect(it.reason).toBeInstanceOf(TokenError);
      return [];
    });
    expect(new Set(issued.map(({ refreshToken }) => refreshToken)).size).toBeLessThanOrEqual(1);
    for (const { token, refreshToken } of issued) {
      await expect(authenticate(bearer(token))).rejects.toMatchObject({ status: 401 });
      await expect(renewed(client, refreshToken!)).rejects.toBeInstanceOf(TokenError);
    }
  },
});
const renewed = (client: Client, refreshToken: string) =>
  refresh(client, { refreshToken, scope: undefined, resource: undefined, address: "127.0.0.1" });
