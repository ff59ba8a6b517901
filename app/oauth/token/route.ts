import { tokenEndpoint } from "@/lib/oauth/token-endpoint";

export const GET = tokenEndpoint;
export const POST = tokenEndpoint;
export const PUT = tokenEndpoint;
export const PATCH = tokenEndpoint;
export const DELETE = tokenEndpoint;
export const OPTIONS = tokenEndpoint;
