import { llmsText, plainText } from "@/lib/api/docs/llms-and-robots";

export const dynamic = "force-dynamic";
export const GET = () => plainText(llmsText());
