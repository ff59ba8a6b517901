import { asForms } from "@/lib/owners/change-setting-from-form";
import { timeZones } from "@/lib/owners/schema";
import { settingsOf } from "@/lib/web/session";
import type { SignedIn } from "@/lib/web/session-cookie";

/** The owner's settings as the forms show them. */
export const settingsForms = async (owner: SignedIn) => ({ saved: asForms(await settingsOf(owner)), zones: timeZones });
