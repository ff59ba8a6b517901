import { beginLinkAction } from "@/lib/integrations/owner-actions";
import { actionRoute } from "@/lib/web/run-action";

export const POST = actionRoute(beginLinkAction);
