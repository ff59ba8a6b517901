import { Card } from "@/components/ui/card";
import type { SettingsForms } from "@/lib/owners/schema";
import { plural } from "@/lib/text/plural";
import { DaysSetting, QuietSetting, ZoneSetting } from "./quiet-hours-settings";
import { ChoiceSetting, SelectSetting, SwitchSetting } from "./setting-controls";
import type { SettingsGroup, SettingsRow } from "./setting-definitions";

type SettingsData = {
  /** The stored value of each setting, in its form's format. */
  saved: SettingsForms;
  zones: readonly string[];
};
type SettingsCardProps = SettingsData & {
  group: SettingsGroup;
  children?: React.ReactNode;
};

/** The settings of one subject, separated by lines. */
export const SettingsCard = ({ group, children, ...given }: SettingsCardProps) => (
  <Card title={group.title}>
    <div className="divide-y divide-line">
      {group.rows.map((row) => (
        <SettingRow key={row.setting} row={row} {...given} />
      ))}
      {children}
    </div>
  </Card>
);

function SettingRow({ row, saved, zones }: SettingsData & { row: SettingsRow }) {
  const { setting, label, hint } = row;
  const kept = saved[setting];
  const props = { setting, label, saved: kept, ...(hint && { hint }) };
  if (row.control === "switch") return <SwitchSetting {...props} />;
  if (row.control === "choice") return <ChoiceSetting {...props} options={row.options} />;
  if (row.control === "minutes") return <SelectSetting {...props} options={delays(Number(kept[0]))} />;
  if (row.control === "hours") return <QuietSetting {...props} ordinary={["22:00", "07:00"]} />;
  if (row.control === "days") return <DaysSetting {...props} />;
  return <ZoneSetting {...props} zones={zones} />;
}

/**
 * The offered email delays in minutes, and the current one, with their labels. Integer keys of an
 * object keep ascending order.
 */
const delays = (now: number) =>
  Object.fromEntries(
    [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, now].map((minutes) => [
      minutes,
      minutes % 60 > 0
        ? plural(minutes, { one: "# minute", other: "# minutes" })
        : plural(minutes / 60, { one: "# hour", other: "# hours" }),
    ]),
  );
