import { newOwnerId } from "@/lib/ids";
import { newSecret, type OwnerSecret } from "@/lib/keys/secret-tokens";

/** Returns a well-formed secret that was never issued to anyone. */
export const unknownSecret = (kind: OwnerSecret): string => newSecret(kind, { ownerId: newOwnerId() });
