import { deviceEndpoint } from "@/lib/oauth/device-endpoint";

export const GET = deviceEndpoint;
export const POST = deviceEndpoint;
export const PUT = deviceEndpoint;
export const PATCH = deviceEndpoint;
export const DELETE = deviceEndpoint;
export const OPTIONS = deviceEndpoint;
