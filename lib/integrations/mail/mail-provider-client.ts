import { type ProviderClient, ProviderFault, type StatusReason } from "../providers/provider";
import { logIn, MailRefused } from "./login";

/**
 * Checks mail accounts by logging in at the IMAP server and, if the account may send mail, at the
 * SMTP server. A password needs no renewal.
 */
export const mailClient: ProviderClient = {
  check: async (credential, { signal }) => {
    if (credential.kind !== "mail") throw new TypeError("The credential does not belong to a mail account");
    const { imap, smtp } = credential;
    const looks = await Promise.allSettled([
      logIn.imap(imap, credential, { signal }),
      ...(smtp ? [logIn.smtp(smtp, credential, { signal })] : []),
    ]);
    const faults = looks.flatMap((look) => (look.status === "rejected" ? [faultOf(look.reason)] : []));
    const worst = faults.find(({ final }) => final) ?? faults[0];
    if (worst) throw worst;
    return {};
  },
  // Mail servers can't revoke a password. The account's page asks the owner to delete it at the
  // provider.
  revoke: async () => {},
};

function faultOf(error: unknown): ProviderFault {
  if (!(error instanceof MailRefused)) throw error;
  const reason = reasons[error.problem];
  return new ProviderFault(reason, reason === "password_rejected", error.message);
}

const reasons: Record<MailRefused["problem"], StatusReason> = {
  password: "password_rejected",
  app_password: "password_rejected",
  not_by_password: "password_rejected",
  busy: "rate_limited",
  garbage: "provider_misbehaves",
  certificate: "provider_misbehaves",
  no_tls: "provider_misbehaves",
  no_server: "provider_down",
  unreachable: "provider_down",
  too_slow: "provider_down",
};
