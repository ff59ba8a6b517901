import { groups } from "@/components/settings/setting-definitions";
import { SettingsCard } from "@/components/settings/settings-card";
import { requireOwner } from "@/lib/web/session";
import { settingsForms } from "../settings-form-values";

export const metadata = { title: "Appearance · Settings" };

export default async function Look() {
  return <SettingsCard {...(await settingsForms(await requireOwner()))} group={groups.look} />;
}
