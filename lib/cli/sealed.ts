import { sealedChannels } from "@/lib/alerts/channels/sealing";
import { sealedCredentials } from "@/lib/integrations/vault";
import type { EncryptedTable } from "@/lib/keys/encrypted-tables";
import { signingSecrets } from "@/lib/webhooks/secrets";

/** Everything that is closed with data keys: a key is only deleted when none of it uses it. */
export const sealedRows: readonly EncryptedTable[] = [sealedCredentials, signingSecrets, sealedChannels];
