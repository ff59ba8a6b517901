import { env } from "./config/env";
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
  const { smtpUrl, from } = settings;
  const transport = await mailServer(smtpUrl, 10_000);
  try {
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

/** Sign in at a mail server, and send nothing. @throws when it does not let us in */
export async function checkMail(smtpUrl: string): Promise<void> {
  const transport = await mailServer(smtpUrl, 5000);
  await transport.verify().finally(() => transport.close());
}

/** @param patience in milliseconds */
async function mailServer(url: string, patience: number) {
  // Loaded when first used: few commands and few starts of the service come to it.
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
    // What a mail names is sent as it is: nothing is read from files or fetched from addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
