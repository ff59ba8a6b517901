import { Card } from "@/components/ui/card";
import type { SettingsForms } from "@/lib/owners/schema";
import { plural } from "@/lib/text/plural";
import { ChoiceSetting, SelectSetting, SwitchSetting } from "./controls";
import { DaysSetting, QuietSetting, ZoneSetting } from "./quiet-hours";
import type { SettingsGroup, SettingsRow } from "./rows";
import { sections } from "./sections";

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

/** Integer keys of an object keep ascending order. */
const delays = (now: number) =>
  Object.fromEntries(
    [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, now].map((minutes) => [
      minutes,
      minutes % 60 > 0
        ? plural(minutes, { one: "# minute", other: "# minutes" })
        : plural(minutes / 60, { one: "# hour", other: "# hours" }),
    ]),
  );

/** The page's sections, with a menu above them, or next to them on wide screens. */
export const Sections = ({ children }: { children: React.ReactNode }) => (
  <div className="lg:grid lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-6">
    <SectionMenu />
    <div className="grid gap-5">{children}</div>
  </div>
);

/** The menu, which stays in view while the page scrolls. */
function SectionMenu() {
  return (
    <nav
      aria-label="Settings"
      data-bar
      className="bleed sticky top-0 z-10 mb-4 overflow-x-auto border-b border-line bg-bg lg:top-4 lg:m-0 lg:self-start lg:border-0 lg:p-0 low:static"
    >
      <ul className="flex gap-1 py-1 lg:grid lg:p-0">
        {sections.map(({ id, label }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-11 items-center rounded-lg px-2.5 font-medium whitespace-nowrap text-muted -outline-offset-2 hover:bg-fill hover:text-ink sm:min-h-9"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type SectionProps = { id: (typeof sections)[number]["id"]; children: React.ReactNode };

/** One section of the page, with its own anchor. */
export const Section = ({ id, children }: SectionProps) => (
  // Keeps the focused element out from under the menu.
  <div
    id={id}
    tabIndex={-1}
    className="scroll-mt-20 grid gap-5 outline-none [&_:is(a,button,input,select,textarea,summary,[tabindex])]:scroll-mt-20"
  >
    {children}
  </div>
);
