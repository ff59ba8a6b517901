import { endpoint, otherMethods } from "@/lib/api/route";
import { listIntegrations } from "@/lib/integrations/operations";

export const GET = endpoint(listIntegrations);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("/api/integrations");
