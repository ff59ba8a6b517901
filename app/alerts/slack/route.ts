import { after } from "next/server";
import { handleSlackInteraction } from "@/lib/alerts/channels/slack-interaction";

/** A button below a message of an owner's Slack bot. Slack has to hear at once that it came; an empty answer says so. */
export async function POST(request: Request): Promise<Response> {
  const answer = await handleSlackInteraction(request);
  if (answer) after(answer);
  return new Response(null, { status: answer ? 200 : 401 });
}
