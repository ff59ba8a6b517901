import { Card } from "@/components/ui/card";
import type { SettingsForms } from "@/lib/owners/schema";
import { ChoiceSetting, SelectSetting, SwitchSetting } from "./controls";
import { DaysSetting, QuietSetting, ZoneSetting } from "./quiet-hours";
import type { Row, SettingsGroup } from "./rows";

type Given = {
  /** What is kept of each setting, as its form sends it. */
  saved: SettingsForms;
  /** Every time zone's name. */
  zones: readonly string[];
};
type SettingsCardProps = Given & {
  group: SettingsGroup;
  /** What stands below the settings. */
  children?: React.ReactNode;
};

/** The settings of one subject, a line between each. */
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

function SettingRow({ row, saved, zones }: Given & { row: Row }) {
  const { setting, label, hint } = row;
  const kept = saved[setting];
  const props = { setting, label, saved: kept, ...(hint && { hint }) };
  if (row.by === "switch") return <SwitchSetting {...props} />;
  if (row.by === "choice") return <ChoiceSetting {...props} options={row.options} />;
  if (row.by === "minutes") return <SelectSetting {...props} options={delays(Number(kept[0]))} />;
  if (row.by === "hours") return <QuietSetting {...props} ordinary={["22:00", "07:00"]} />;
  if (row.by === "days") return <DaysSetting {...props} />;
  return <ZoneSetting {...props} zones={zones} />;
}

const delays = (now: number) =>
  [...new Set([1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, now])]
    .sort((a, b) => a - b)
    .map((minutes) => ({
      value: String(minutes),
      label:
        minutes % 60 > 0
          ? `${minutes} ${minutes === 1 ? "minute" : "minutes"}`
          : `${minutes / 60} ${minutes === 60 ? "hour" : "hours"}`,
    }));
