import { actions } from "@/lib/web/action-registry";
import { runAction } from "@/lib/web/run-action";
import { currentOwner } from "@/lib/web/session";

/** Runs the action named in the URL with the fields of the submitted form. */
export async function POST(request: Request, { params }: { params: Promise<{ act: string }> }): Promise<Response> {
  return runAction(actions.get((await params).act), request, currentOwner);
}
