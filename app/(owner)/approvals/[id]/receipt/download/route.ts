import { redirect } from "next/navigation";
import { orNotFound, undefinedOn } from "@/app/or-not-found";
import { readReceipt } from "@/lib/receipts/receipts";
import { textStream } from "@/lib/web/download-stream";
import { requireOwner } from "@/lib/web/session";

/**
 * Downloads the receipt as a file. If there is no receipt yet, redirects to the receipt's page,
 * which explains why.
 */
export async function GET(_: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  const page = `/approvals/${id}/receipt`;
  const owner = await requireOwner(page);
  const found = (await undefinedOn(409, orNotFound(readReceipt(owner, id)))) ?? redirect(page);
  return textStream(`countersign-receipt-${id}`, "jws", pieces(found.receipt));
}

async function* pieces(text: string) {
  yield text;
}
