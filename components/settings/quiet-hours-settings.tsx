"use client";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Select, TextInput } from "@/components/ui/fields/field";
import { Switch } from "@/components/ui/fields/switch";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import { isSameZone, placeOf, whenZoneKnown } from "./browser-time-zone";
import { SettingForm, type SettingProps } from "./setting-form";

const typingMs = 700;

/**
 * Debounces a call. `later` schedules it, `now` and unmounting run it at once, and `drop` cancels
 * it.
 */
function useMoment(ms: number) {
  const waiting = useRef<{ run: () => void; timer: ReturnType<typeof setTimeout> }>(undefined);
  const [moment] = useState(() => {
    const drop = () => {
      clearTimeout(waiting.current?.timer);
      waiting.current = undefined;
    };
    const now = () => {
      const { run } = waiting.current ?? {};
      drop();
      run?.();
    };
    const later = (run: () => void) => {
      drop();
      waiting.current = { run, timer: setTimeout(now, ms) };
    };
    return { later, now, drop };
  });
  useEffect(() => moment.now, [moment]);
  return moment;
}

/** The quiet hours setting: "off", or a start and an end. */
export function QuietSetting({ ordinary, ...props }: SettingProps & { ordinary: readonly [string, string] }) {
  const { later, now, drop } = useMoment(typingMs);
  const isOff = props.saved[0] === "off";
  // Turning off quiet hours drops the pending change.
  useEffect(() => {
    if (isOff) drop();
  }, [isOff, drop]);
  return (
    <>
      <SettingForm
        {...props}
        sends
        control={({ values, change, labelled }) => (
          <>
            {values[0] === "off"
              ? ordinary.map((time) => <input key={time} type="hidden" value={time} name="value" />)
              : null}
            <Switch
              {...labelled}
              label={props.label}
              checked={values[0] !== "off"}
              {...(values[0] !== "off" && { name: "value", value: "off" })}
              onClick={(event) => {
                event.preventDefault();
                drop();
                change(values[0] === "off" ? [...ordinary] : ["off"]);
              }}
            />
          </>
        )}
      />
      {isOff ? null : (
        <SettingForm
          {...props}
          id="quiet-times"
          label="Start and end"
          hint="Quiet hours can end the next day."
          control={({ values, change, labelled }) => (
            <fieldset {...labelled} onBlur={now} className="flex items-center gap-2">
              {["From", "Until"].map((name, index) => (
                <TimeInput
                  key={name}
                  label={name}
                  value={values[index] ?? ""}
                  onTyped={(form) => {
                    const times = new FormData(form).getAll("value").map(String);
                    if (times.every((time) => time !== "")) later(() => change(times));
                    else drop();
                  }}
                />
              ))}
            </fieldset>
          )}
        />
      )}
    </>
  );
}

type TimeInputProps = { label: string; value: string; onTyped: (form: HTMLFormElement) => void };

/** A time of day. The time is saved a moment after typing, so that partial input is not sent. */
function TimeInput({ label, value, onTyped }: TimeInputProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  return (
    <TextInput
      type="time"
      name="value"
      aria-label={label}
      required
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        if (event.target.form) onTyped(event.target.form);
      }}
      className="w-auto!"
    />
  );
}

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The days on which quiet hours begin, in the reader's week order. */
export function DaysSetting(props: SettingProps) {
  const { firstDay } = useFormats();
  return (
    <SettingForm
      {...props}
      control={({ values, change, labelled }) => (
        <fieldset {...labelled} className="grid w-full grid-cols-7 gap-1 sm:flex sm:w-auto">
          {/* With an empty selection, the form still sends `value`. */}
          <input type="hidden" name="value" value="" />
          {days
            .map((_, index) => (index + firstDay) % 7)
            .map((day) => (
              <label
                key={day}
                className="relative flex h-11 cursor-pointer items-center justify-center rounded-lg border border-edge bg-raised text-muted has-checked:border-ink has-checked:bg-fill has-checked:font-semibold has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus sm:size-9 forced-colors:has-checked:outline-2"
              >
                <input
                  type="checkbox"
                  name="value"
                  value={day}
                  checked={values.includes(String(day))}
                  onChange={({ target }) =>
                    change(
                      target.checked
                        ? [...values, String(day)].filter(Boolean).sort()
                        : values.filter((one) => one !== String(day)),
                    )
                  }
                  className="sr-only"
                />
                <span aria-hidden="true">{days[day]?.slice(0, 2)}</span>
                <span className="sr-only">{days[day]}</span>
              </label>
            ))}
        </fieldset>
      )}
    />
  );
}

/** The setting for the owner's time zone, with this browser's zone as a suggestion. */
export function ZoneSetting({ zones, ...props }: SettingProps & { zones: readonly string[] }) {
  const [zone, setZone] = useState<string>();
  useEffect(() => whenZoneKnown(setZone), []);
  return (
    <SettingForm
      {...props}
      control={({ values: [value = ""], change, labelled }) => (
        <>
          {zone && zone !== value && !isSameZone(zone, value) ? (
            <Button size="small" onClick={() => change([zone])}>
              Use {placeOf(zone)} time
            </Button>
          ) : null}
          <Select
            {...labelled}
            name="value"
            value={value}
            onChange={(event) => change([event.target.value])}
            className="sm:w-auto"
            options={Object.fromEntries(
              (zones.includes(value) ? zones : [value, ...zones]).map((name) => [name, name.replaceAll("_", " ")]),
            )}
          />
        </>
      )}
    />
  );
}
