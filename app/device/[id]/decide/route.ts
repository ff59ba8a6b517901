import { decisionRefused, leave, readDecision } from "@/app/decision";
import { AppError } from "@/lib/errors";
import { decideDevice } from "@/lib/oauth/device";
import { formOf } from "@/lib/web/read-form";
import { currentOwner } from "@/lib/web/session";

/** The owner's decision about a device. The page it was made on says what became of it. */
export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  try {
    const owner = await currentOwner();
    if (!owner) throw new AppError(401, "Your session has ended. Sign in again and reload the page");
    await decideDevice(owner, id, readDecision(await formOf(request)));
    return leave(request, `/device/${id}`);
  } catch (error) {
    const told = { title: "Not decided", advice: "Start over on your device." };
    return decisionRefused(request, error, `/device/${id}`, told);
  }
}
