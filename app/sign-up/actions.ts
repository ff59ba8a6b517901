"use server";
import { signUp } from "@/lib/owners/owners";
import { NewOwner } from "@/lib/owners/schema";
import { visitorAction } from "@/lib/web/visitor-action";
import { welcome } from "@/lib/web/welcome";

/** Creates an account and signs in. */
export const join = visitorAction(NewOwner, async ({ address }, owner) => welcome(await signUp(owner, address)));
