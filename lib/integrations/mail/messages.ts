import { type AppError, badRequest } from "@/lib/errors";
import type { MailRefused, Protocol } from "./login";
import type { MailProvider } from "./providers";
import type { MailServers } from "./servers";

/**
 * The owner's message, at the field that may fix the problem. It contains nothing from the server.
 */
export function loginErrorMessage({ protocol, problem }: MailRefused, { provider, guessed }: MailServers): AppError {
  const where = protocol === "imap" ? "the mail server" : "the server that sends mail";
  const field = atPassword.has(problem) ? "password" : `${protocol}Host`;
  if (guessed && field !== "password" && problem !== "certificate")
    return badRequest(`We could not find ${where} for this address. Enter its name, as your provider gives it.`, field);
  const words = {
    no_server: `No server on the internet has this name. Check its spelling, or ask your provider for the name of ${where}.`,
    unreachable: `No response. Check the name and port of ${where}.`,
    too_slow: `The response took too long. Check the name, port and encryption of ${where}, or try again later.`,
    no_tls: `This port of ${where} offers no encryption, so your password was not sent. Try another port or encryption.`,
    certificate: `The certificate of ${where} is not valid for its name, so your password was not sent. Check the name.`,
    garbage: `The response couldn't be read. Check the name and port of ${where}.`,
    busy: `Right now, ${where} accepts no sign-ins. Try again later.`,
    password: rejected(protocol, provider),
    app_password: `This account needs an app password. Your usual password does not work here.`,
    not_by_password: `No program may sign in with a password at ${where}. Your provider may have to allow it first.`,
  } satisfies Record<MailRefused["problem"], string>;
  return badRequest(words[problem], field);
}

const atPassword = new Set<MailRefused["problem"]>(["password", "app_password", "not_by_password", "busy"]);

function rejected(protocol: Protocol, known: MailProvider | undefined): string {
  if (protocol === "smtp")
    return "You can read mail with this password, but the server that sends mail does not accept it.";
  const note = known?.note ?? "Many providers accept only app passwords.";
  return `The address or password was not accepted. ${note}`;
}
