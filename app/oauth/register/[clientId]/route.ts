import { everyMethod } from "@/lib/api/methods";
import { registrationManagement } from "@/lib/oauth/registration-endpoint";

const manage = async (request: Request, { params }: { params: Promise<{ clientId: string }> }) =>
  registrationManagement(request, (await params).clientId);

export const { GET, POST, PUT, DELETE, OPTIONS } = everyMethod(manage);
