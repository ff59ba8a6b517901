import { ownerActs } from "@/lib/web/owner-actions";
import { runOwnerAction } from "@/lib/web/run-owner-action";
import { currentOwner } from "@/lib/web/session";

/** All actions on owners' pages, by their names in `ownerActs`. */
export async function POST(request: Request, { params }: { params: Promise<{ act: string }> }): Promise<Response> {
  return runOwnerAction(ownerActs.get((await params).act), request, currentOwner);
}
