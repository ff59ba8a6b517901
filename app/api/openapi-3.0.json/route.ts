import { withCommonHeaders } from "@/lib/api/handle-operation-request";
import { openapi30Text } from "@/lib/api/openapi-3.0";
import { toResponse } from "@/lib/api/route-request";

export const GET = async () => toResponse(withCommonHeaders({ status: 200, headers: {}, body: openapi30Text() }));
