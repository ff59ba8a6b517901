import { ownerActs } from "@/lib/web/owner-acts";
import { performAct } from "@/lib/web/perform-act";
import { currentOwner } from "@/lib/web/session";

/** Everything that owners do on their pages, by the names of `ownerActs`. */
export async function POST(request: Request, { params }: { params: Promise<{ act: string }> }): Promise<Response> {
  return performAct(ownerActs.get((await params).act), request, currentOwner);
}
