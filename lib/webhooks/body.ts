/**
 * What is sent of an event: what `GET /api/events` gives, with the time as Standard Webhooks has it, and `sub`, the owner as
 * introspection (RFC 7662) names them, since an app may have several.
 * @param at epoch milliseconds
 */
export const webhookBody = (told: { event: string; type: string; at: number; owner: string; data: object }): string =>
  JSON.stringify({
    id: told.event,
    type: told.type,
    createdAt: told.at,
    timestamp: new Date(told.at).toISOString(),
    sub: told.owner,
    data: told.data,
  });
