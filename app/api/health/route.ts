import { withCommonHeaders } from "@/lib/api/handle-operation-request";
import { healthy } from "@/lib/api/health";
import { toResponse } from "@/lib/api/route-request";

export const GET = async () => toResponse(withCommonHeaders(await healthy(false)));
