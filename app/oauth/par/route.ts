import { pushEndpoint } from "@/lib/oauth/pushed-requests";

export const GET = pushEndpoint;
export const POST = pushEndpoint;
export const PUT = pushEndpoint;
export const PATCH = pushEndpoint;
export const DELETE = pushEndpoint;
export const OPTIONS = pushEndpoint;
