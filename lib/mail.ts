import { env } from "./env";
import { counter } from "./telemetry/metrics";

/** `html`: the same for who reads it so. */
type Mail = { to: string; subject: string; text: string; html?: string; headers?: Record<string, string> };

const mails = counter(
  "countersign_mails_total",
  "E-mails handed to the mail server (sent) or not taken by it (failed).",
  "outcome",
);

/**
 * Hand one mail to the operator's mail server. A server that does not answer is given up on after ten seconds.
 * @throws when there is none, or it does not take the mail
 */
export async function sendMail(mail: Mail): Promise<void> {
  const settings = env().mail;
  if (!settings) throw new Error("no mail server is set");
  // Loaded when first used: few commands and few starts of the service come to it.
  const { createTransport } = await import("nodemailer");
  const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 };
  // What a mail names is sent as it is: nothing is read from files or fetched from addresses.
  const transport = createTransport({
    url: settings.smtpUrl,
    ...patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { from } = settings;
    // Inboxes show who writes by name.
    await transport.sendMail({ from: from.includes("<") ? from : `Countersign <${from}>`, ...mail });
    mails(["sent"]);
  } catch (error) {
    mails(["failed"]);
    throw error;
  } finally {
    transport.close();
  }
}
