import { z } from "zod";

/** Kinds of data an account can give. */
export const buckets = ["identity", "mail", "calendar", "contacts", "files", "tasks"] as const;

export type Bucket = (typeof buckets)[number];

/** What may be done with a kind of data: `calendar.read`, `mail.write`. Who one is can only be read. */
export const accesses = [
  "mail.read",
  "mail.write",
  "calendar.read",
  "calendar.write",
  "contacts.read",
  "contacts.write",
  "files.read",
  "files.write",
  "tasks.read",
  "tasks.write",
] as const;
export type Access = (typeof accesses)[number];

/** Why an account does not work, or what is the matter with it. For the owner in words, never in the API. */
export type StatusReason =
  | "invalid_grant"
  | "revoked_at_provider"
  | "refresh_exhausted"
  | "password_rejected"
  | "credential_unreadable"
  | "rate_limited"
  | "provider_down"
  | "provider_misbehaves"
  | "failing_too_long"
  | "not_configured"
  | "owner_disconnected";

export const Integration = z
  .object({
    id: z.string().describe("Identifier of the integration."),
    provider: z.string().describe("Name of the provider of the linked account."),
    status: z
      .enum(["connected", "needs_reauth", "error", "disconnected"])
      .describe(
        "Who must act next. `connected`: no one, it works. `needs_reauth`: the owner, who has been told; the id stays the same when they reconnect it. `error`: the service, which keeps trying. `disconnected`: no one, the owner removed it; listed for 30 days.",
      ),
    email: z.string().describe("Address of the linked account."),
    buckets: z
      .array(z.enum(buckets))
      .describe(
        "Kinds of data the owner granted something of, as the provider confirmed, sorted. `identity` is always included. It does not say what may be done with each.",
      ),
  })
  .meta({ id: "Integration" });
export type Integration = z.infer<typeof Integration>;
