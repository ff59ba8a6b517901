import { answerByLinkAction } from "@/lib/alerts/owner-actions";
import { actionRoute } from "@/lib/web/run-action";

export const POST = actionRoute(answerByLinkAction);
