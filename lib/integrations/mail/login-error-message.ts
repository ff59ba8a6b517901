import { type AppError, badRequest } from "@/lib/errors";
import type { MailServers } from "./find-servers";
import type { MailRefused, Protocol } from "./login";
import type { MailProvider } from "./providers";

/**
 * Returns the owner's message, for the field that may fix the problem. It contains no text from the
 * server.
 */
export function loginErrorMessage({ protocol, problem }: MailRefused, { provider, guessed }: MailServers): AppError {
  const where = protocol === "imap" ? "the mail server" : "the outgoing mail server";
  const field = atPassword.has(problem) ? "password" : `${protocol}Host`;
  if (guessed && field !== "password" && problem !== "certificate")
    return badRequest(
      `We couldn’t find ${where} for this address. Enter the server name from your mail provider.`,
      field,
    );
  const words = {
    no_server: `No server has this name. Check the spelling, or ask your provider for the name of ${where}.`,
    unreachable: `The server didn’t respond. Check the name and port of ${where}.`,
    too_slow: `The server took too long to respond. Check the name, port and encryption of ${where}, or try again later.`,
    no_tls: `This port of ${where} doesn’t support encryption. We didn’t send your password. Try another port or encryption.`,
    certificate: `The certificate of ${where} isn’t valid for this server name. We didn’t send your password. Check the name, or ask your provider.`,
    garbage: `We couldn’t read the server’s response. Check the name and port of ${where}.`,
    busy: `We can’t sign in to ${where} right now. Try again later.`,
    password: rejected(protocol, provider),
    app_password:
      "This account needs an app password, not your usual password. Create an app password in your mail provider’s settings.",
    not_by_password: `Password sign-in is turned off on ${where}. Ask your provider to turn it on.`,
  } satisfies Record<MailRefused["problem"], string>;
  return badRequest(words[problem], field);
}

const atPassword = new Set<MailRefused["problem"]>(["password", "app_password", "not_by_password", "busy"]);

function rejected(protocol: Protocol, known: MailProvider | undefined): string {
  if (protocol === "smtp")
    return "This password works for reading mail, but the outgoing mail server rejects it. Ask your provider whether sending needs a different password.";
  const note = known?.note ?? "Many providers accept only app passwords.";
  return `The mail server rejected the address or password. ${note}`;
}
