/**
 * The body sent for an event: the event as in `GET /api/events`, with the time as in Standard
 * Webhooks. `sub` is the owner as in introspection (RFC 7662), because an app may have several.
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
