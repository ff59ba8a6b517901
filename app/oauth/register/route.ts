import { registrationEndpoint } from "@/lib/grants/registration-endpoint";

export const GET = registrationEndpoint;
export const POST = registrationEndpoint;
export const OPTIONS = registrationEndpoint;
