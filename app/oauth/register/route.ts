import { everyMethod } from "@/lib/api/every-method";
import { registrationEndpoint } from "@/lib/oauth/registration-endpoint";

export const { GET, POST, OPTIONS } = everyMethod(registrationEndpoint);
