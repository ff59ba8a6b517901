import { db } from "@/lib/db";
import { sendMail } from "@/lib/mail";

/** Send an owner an e-mail, to the address of their account. @throws as sendMail */
export async function mailOwner(ownerId: string, mail: Omit<Parameters<typeof sendMail>[0], "to">): Promise<void> {
  const { email } = await db.owner.findUniqueOrThrow({ where: { id: ownerId }, select: { email: true } });
  await sendMail({ to: email, ...mail });
}
