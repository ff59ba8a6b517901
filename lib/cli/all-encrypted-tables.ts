import { sealedChannels } from "@/lib/alerts/channels/credential-encryption";
import { sealedCredentials } from "@/lib/integrations/vault";
import type { EncryptedTable } from "@/lib/keys/encrypted-table";
import { signingSecrets } from "@/lib/webhooks/signing-secrets";

/** All tables encrypted with data keys. A key may be deleted only if none of their rows uses it. */
export const sealedRows: readonly EncryptedTable[] = [sealedCredentials, signingSecrets, sealedChannels];
