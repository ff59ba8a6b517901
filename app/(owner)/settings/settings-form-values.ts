import { timeZones } from "@/lib/owners/schema";
import { asForms } from "@/lib/owners/setting-change";
import type { SignedIn } from "@/lib/web/auth";
import { settingsOf } from "@/lib/web/session";

/** The owner's settings as the forms show them. */
export const settingsForms = async (owner: SignedIn) => ({ saved: asForms(await settingsOf(owner)), zones: timeZones });
