"use server";
import { z } from "zod";
import { NewOwner } from "@/lib/owners/schema";
import { setUp } from "@/lib/owners/setup";
import { visitorAction } from "@/lib/web/visitor-action";
import { welcome } from "@/lib/web/welcome";

const FirstOwner = NewOwner.extend({ token: z.string() });

/** Creates the first account and signs in. */
export const createFirstAccount = visitorAction(FirstOwner, async (_visitor, { token, ...owner }) =>
  welcome(await setUp(token, owner)),
);
