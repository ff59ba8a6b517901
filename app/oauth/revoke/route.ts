import { revokeEndpoint } from "@/lib/oauth/revoke-endpoint";

export const GET = revokeEndpoint;
export const POST = revokeEndpoint;
export const PUT = revokeEndpoint;
export const PATCH = revokeEndpoint;
export const DELETE = revokeEndpoint;
export const OPTIONS = revokeEndpoint;
