import { Card } from "@/components/ui/card";
import type { Settings } from "@/lib/owners/schema";
import { ChoiceSetting, SelectSetting, SwitchSetting } from "./controls";
import { DaysSetting, QuietSetting, ZoneSetting } from "./quiet-hours";
import { Rows } from "./section";

type AlertsProps = { settings: Settings; zones: readonly string[]; mailed: boolean };

/** What may reach the owner outside these pages, and when not. `mailed`: whether the service has a mail server. */
export function Alerts({ settings, zones, mailed }: AlertsProps) {
  const { lockScreen, emailAlerts, emailAfterMinutes, quiet, quietDays, quietBreakthrough, timeZone } = settings;
  return (
    <>
      <Card title="Alerts">
        <Rows>
          <ChoiceSetting
            setting="lockScreen"
            label="On the lock screen"
            hint="What an alert says where others may read along."
            saved={[lockScreen]}
            options={[
              { value: "private", label: "Only who asks" },
              { value: "full", label: "The question too" },
            ]}
          />
          {mailed ? (
            <>
              <SwitchSetting
                setting="emailAlerts"
                label="E-mail me"
                hint="When a question still waits after a while."
                saved={[onOff(emailAlerts)]}
              />
              <SelectSetting
                setting="emailAfterMinutes"
                label="E-mail after"
                saved={[String(emailAfterMinutes)]}
                options={delays(emailAfterMinutes)}
              />
            </>
          ) : (
            <div id="emailAlerts" tabIndex={-1} className="pt-3 outline-none">
              <p className="font-medium">E-mail</p>
              <p className="max-w-[60ch] text-muted">
                This service sends no e-mail: it has no mail server. Whoever runs it can name one with{" "}
                <span className="mono">SMTP_URL</span>.
              </p>
            </div>
          )}
        </Rows>
      </Card>
      <Card title="Quiet hours">
        <Rows>
          <QuietSetting
            setting="quiet"
            label="Quiet hours"
            hint="Nothing alerts you in these hours. Questions and notifications still arrive and wait."
            saved={quiet ? [clock(quiet.from), clock(quiet.until)] : ["off"]}
            ordinary={["22:00", "07:00"]}
          />
          <DaysSetting
            setting="quietDays"
            label="On these days"
            hint="The day on which the hours begin."
            saved={quietDays.map(String)}
          />
          <SwitchSetting
            setting="quietBreakthrough"
            label="Urgent may break through"
            hint="What an app marks urgent alerts you all the same."
            saved={[onOff(quietBreakthrough)]}
          />
          <ZoneSetting
            setting="timeZone"
            label="Time zone"
            hint="Where your hours and days are counted."
            saved={[timeZone]}
            zones={zones}
          />
        </Rows>
      </Card>
    </>
  );
}

const onOff = (value: boolean) => (value ? "on" : "off");

/** Minutes after midnight as "22:30". */
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

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
