import { withCommonHeaders } from "@/lib/api/endpoint";
import { healthy } from "@/lib/api/health";
import { toResponse } from "@/lib/api/route";

export const GET = async () => toResponse(withCommonHeaders(await healthy(false)));
