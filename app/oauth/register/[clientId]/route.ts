import { registrationManagement } from "@/lib/oauth/registration-endpoint";

const manage = async (request: Request, { params }: { params: Promise<{ clientId: string }> }) =>
  registrationManagement(request, (await params).clientId);

export const GET = manage;
export const POST = manage;
export const PUT = manage;
export const DELETE = manage;
export const OPTIONS = manage;
