"use server";
import { redirect } from "next/navigation";
import { z } from "zod";
import { changeSettings } from "@/lib/owners/settings";
import { ownerAction } from "@/lib/web/owner-action";

const finish = ownerAction(z.object({}), (owner) => changeSettings(owner, { firstStepsDone: true }));

/** The owner wants no more of the first steps; the practice stays where it is. */
export async function hideFirstSteps(form: FormData): Promise<void> {
  await finish(null, form);
  redirect("/approvals");
}
