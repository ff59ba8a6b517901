/**
 * Returns the webhook body for an event: the event as in `GET /api/events`, and the time as in
 * Standard Webhooks. `sub` is the owner's ID, as in introspection (RFC 7662), because several
 * owners may connect an app.
 * @param content the event; `at` is its time in epoch milliseconds
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
