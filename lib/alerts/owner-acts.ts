import { z } from "zod";
import { ownerAct } from "@/lib/owner-act";
import { addDevice, removeDevice, seeDevice, testDevice } from "./devices";
import { NewSubscription } from "./schema";

const One = z.object({ id: z.string().max(100) });

export const add = ownerAct({
  name: "device.add",
  input: NewSubscription,
  run: (owner, device, { userAgent }) => addDevice(owner, device, userAgent),
});

/** Answers whether the browser still shows alerts. */
export const see = ownerAct({ name: "device.see", input: NewSubscription, run: seeDevice });

export const test = ownerAct({ name: "device.test", input: One, run: (owner, { id }) => testDevice(owner, id) });

export const remove = ownerAct({ name: "device.remove", input: One, run: (owner, { id }) => removeDevice(owner, id) });
