"use server";
import { headers } from "next/headers";
import { z } from "zod";
import { addDevice, removeDevice, seeDevice, testDevice } from "@/lib/alerts/devices";
import { NewSubscription } from "@/lib/alerts/schema";
import { ownerAction } from "@/lib/web/owner-action";
import { thenRefresh } from "../then-refresh";

const One = z.object({ id: z.string().max(100) });

export const addMyDevice = ownerAction(
  NewSubscription,
  thenRefresh(async (owner, device) => addDevice(owner, device, (await headers()).get("user-agent") ?? "")),
);
export const seeMyDevice = ownerAction(NewSubscription, seeDevice);
export const testMyDevice = ownerAction(One, (owner, { id }) => testDevice(owner, id));
export const removeMyDevice = ownerAction(
  One,
  thenRefresh((owner, { id }) => removeDevice(owner, id)),
);
