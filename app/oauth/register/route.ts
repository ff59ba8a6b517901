import { everyMethod } from "@/lib/api/methods";
import { registrationEndpoint } from "@/lib/oauth/registration-endpoint";

export const { GET, POST, OPTIONS } = everyMethod(registrationEndpoint);
