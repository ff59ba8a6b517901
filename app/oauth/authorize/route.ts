import { authorizeEndpoint } from "@/lib/oauth/authorize-endpoint";
import { currentOwner } from "@/lib/web/session";

export const GET = (request: Request) => authorizeEndpoint(request, async () => (await currentOwner()) !== null);
