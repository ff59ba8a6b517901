/**
 * Returns the body for an event: the event as in `GET /api/events`, and the time as in Standard
 * Webhooks. `sub` is the owner, as in introspection (RFC 7662), because an app may have several
 * owners.
 * @param at epoch milliseconds
 */
export const webhookBody = (content: {
  event: string;
  type: string;
  at: number;
  owner: string;
  data: object;
}): string =>
  JSON.stringify({
    id: content.event,
    type: content.type,
    createdAt: content.at,
    timestamp: new Date(content.at).toISOString(),
    sub: content.owner,
    data: content.data,
  });
