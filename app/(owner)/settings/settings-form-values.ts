import { asForms } from "@/lib/owners/change-setting-from-form";
import { timeZones } from "@/lib/owners/schema";
import { settingsOf } from "@/lib/web/session";
import type { SignedIn } from "@/lib/web/session-cookie";

/** Returns the owner's settings as form values, and the time zones to choose from. */
export const settingsForms = async (owner: SignedIn) => ({ saved: asForms(await settingsOf(owner)), zones: timeZones });
