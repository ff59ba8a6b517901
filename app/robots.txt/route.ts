import { plainText, robotsText } from "@/lib/api/docs/llms-and-robots";

export const dynamic = "force-dynamic";
export const GET = () => plainText(robotsText());
