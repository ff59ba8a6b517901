import { env } from "./env";

type Mail = { to: string; subject: string; text: string; headers?: Record<string, string> };

/**
 * Hand one plain-text mail to the operator's mail server. A server that does not answer is given up on after ten seconds.
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
    await transport.sendMail({ from: settings.from, ...mail });
  } finally {
    transport.close();
  }
}
