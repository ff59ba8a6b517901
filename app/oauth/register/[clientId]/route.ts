import { everyMethod } from "@/lib/api/methods";
import { registrationReadEndpoint } from "@/lib/oauth/registration-endpoint";

const read = async (request: Request, { params }: { params: Promise<{ clientId: string }> }) =>
  registrationReadEndpoint(request, (await params).clientId);

export const { GET, POST, OPTIONS } = everyMethod(read);
