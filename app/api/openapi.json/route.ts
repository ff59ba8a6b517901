import { withCommonHeaders } from "@/lib/api/handle-operation-request";
import { openapiText } from "@/lib/api/openapi";
import { toResponse } from "@/lib/api/route-request";

export const GET = async () => toResponse(withCommonHeaders({ status: 200, headers: {}, body: openapiText() }));
