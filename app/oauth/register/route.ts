import { registrationEndpoint } from "@/lib/oauth/registration-endpoint";

export const GET = registrationEndpoint;
export const POST = registrationEndpoint;
export const OPTIONS = registrationEndpoint;
