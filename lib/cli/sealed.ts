import { sealedChannels } from "@/lib/alerts/channels/sealing";
import { sealedCredentials } from "@/lib/integrations/vault";
import type { SealedRows } from "@/lib/keys/sealed-rows";
import { signingSecrets } from "@/lib/webhooks/secrets";

/** Everything that is closed with data keys: a key is only deleted when none of it uses it. */
export const sealedRows: readonly SealedRows[] = [sealedCredentials, signingSecrets, sealedChannels];
