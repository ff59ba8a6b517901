import { withCommonHeaders } from "@/lib/api/endpoint";
import { openapiText } from "@/lib/api/openapi";
import { toResponse } from "@/lib/api/route";

export const GET = async () => toResponse(withCommonHeaders({ status: 200, headers: {}, body: openapiText() }));
