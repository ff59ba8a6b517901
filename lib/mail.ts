import { env } from "./config/env";
import { counter } from "./telemetry/declare-metrics";

/** An email. `html` is the same content as `text`, for mail programs that show HTML. */
type Mail = { to: string; subject: string; text: string; html?: string; headers?: Record<string, string> };

const mails = counter("countersign_mails_total", "Attempts to send an email, by outcome (sent or failed).", "outcome");

/**
 * Sends an email through the operator's mail server. Fails after ten seconds without a response.
 * @throws if no mail server is set, or the email can't be sent
 */
export async function sendMail(mail: Mail): Promise<void> {
  const settings = env().mail;
  if (!settings) throw new Error("no mail server is set");
  const { smtpUrl, from } = settings;
  const transport = await mailServer(smtpUrl, 10_000);
  try {
    // Adds a name, because inboxes show senders by name.
    await transport.sendMail({ from: from.includes("<") ? from : `Countersign <${from}>`, ...mail });
    mails(["sent"]);
  } catch (error) {
    mails(["failed"]);
    throw error;
  } finally {
    transport.close();
  }
}

/**
 * Signs in to a mail server without sending anything.
 * @throws if the connection or the sign-in fails
 */
export async function checkMail(smtpUrl: string): Promise<void> {
  const transport = await mailServer(smtpUrl, 5000);
  await transport.verify().finally(() => transport.close());
}

/**
 * Creates a transport to a mail server.
 * @param timeoutMs the timeout in milliseconds
 */
async function mailServer(url: string, timeoutMs: number) {
  // Loaded on first use, because few processes need it.
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // An email must never make the service read files or fetch URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
