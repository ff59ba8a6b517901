import { dress } from "@/lib/api/endpoint";
import { openapiText } from "@/lib/api/openapi";
import { toResponse } from "@/lib/api/route";

export const GET = async () => toResponse(dress({ status: 200, headers: {}, body: openapiText() }));
