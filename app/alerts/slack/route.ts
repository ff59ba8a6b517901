import { after } from "next/server";
import { handleSlackInteraction } from "@/lib/alerts/channels/slack-interaction";

/**
 * Handles button presses in messages from an owner's Slack bot. Responds immediately with an
 * empty body, because Slack expects an immediate acknowledgment.
 */
export async function POST(request: Request): Promise<Response> {
  const answer = await handleSlackInteraction(request);
  if (answer) after(answer);
  return new Response(null, { status: answer ? 200 : 401 });
}
