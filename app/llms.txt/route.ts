import { llmsText, plainText } from "@/lib/api/docs/plain-text";

export const dynamic = "force-dynamic";
export const GET = () => plainText(llmsText());
