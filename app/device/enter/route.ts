import { enterDeviceCode } from "@/lib/oauth/owner-actions";
import { actionRoute } from "@/lib/web/run-action";

export const POST = actionRoute(enterDeviceCode);
