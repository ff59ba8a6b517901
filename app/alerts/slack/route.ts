import { after } from "next/server";
import { handleSlackInteraction } from "@/lib/alerts/channels/slack-interaction";

/**
 * Receives button presses from an owner's Slack bot. Slack expects an immediate acknowledgment, so
 * the response is empty.
 */
export async function POST(request: Request): Promise<Response> {
  const answer = await handleSlackInteraction(request);
  if (answer) after(answer);
  return new Response(null, { status: answer ? 200 : 401 });
}
