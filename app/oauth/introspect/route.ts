import { introspectEndpoint } from "@/lib/oauth/introspect-endpoint";

export const GET = introspectEndpoint;
export const POST = introspectEndpoint;
export const PUT = introspectEndpoint;
export const PATCH = introspectEndpoint;
export const DELETE = introspectEndpoint;
export const OPTIONS = introspectEndpoint;
