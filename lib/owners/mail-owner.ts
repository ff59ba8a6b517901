import { sql } from "@/lib/database/sql";
import { sendMail } from "@/lib/mail";

/**
 * Sends an email to the owner's address, if it is confirmed.
 * @returns whether it is confirmed
 * @throws as sendMail
 */
export async function mailOwner(ownerId: string, mail: Omit<Parameters<typeof sendMail>[0], "to">): Promise<boolean> {
  const owner = await sql<{ email: string }>`
    SELECT email
    FROM owner
    WHERE id = ${ownerId} AND confirmed_email = email`.row();
  if (owner) await sendMail({ to: owner.email, ...mail });
  return owner !== undefined;
}
