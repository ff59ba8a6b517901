"use client";
import { Select } from "@/components/ui/fields/field";
import { Switch } from "@/components/ui/fields/switch";
import { CheckIcon } from "@/components/ui/icons";
import type { Options } from "./setting-definitions";
import { SettingForm, type SettingProps } from "./setting-form";

/** A setting that is on or off, as a switch. */
export const SwitchSetting = (props: SettingProps) => (
  <SettingForm
    {...props}
    sends
    control={({ values: [value], labelled }) => (
      <Switch
        {...labelled}
        label={props.label}
        checked={value === "on"}
        name="value"
        value={value === "on" ? "off" : "on"}
      />
    )}
  />
);

const pill =
  "relative flex min-h-11 cursor-pointer items-center gap-1.5 rounded-md border border-transparent px-3 text-muted hover:text-ink sm:min-h-9 has-checked:border-edge has-checked:bg-raised has-checked:font-semibold has-checked:text-ink has-checked:has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus forced-colors:has-checked:outline-2";

/** A setting with a few options, as buttons. */
export const ChoiceSetting = ({ options, ...props }: SettingProps & { options: Options }) => (
  <SettingForm
    {...props}
    control={({ values, change, labelled }) => (
      <div
        role="radiogroup"
        {...labelled}
        className="flex flex-wrap gap-0.5 rounded-lg bg-fill p-0.5 forced-colors:border"
      >
        {Object.entries(options).map(([value, label]) => (
          <label key={value} className={pill}>
            <input
              type="radio"
              name="value"
              value={value}
              checked={values[0] === value}
              onChange={() => change([value])}
              className="peer sr-only"
            />
            <CheckIcon className="size-3.5 stroke-[2.5] opacity-0 peer-checked:opacity-100" />
            {label}
          </label>
        ))}
      </div>
    )}
  />
);

/** A setting with many options, as a menu. */
export const SelectSetting = ({ options, ...props }: SettingProps & { options: Options }) => (
  <SettingForm
    {...props}
    control={({ values, change, labelled }) => (
      <Select
        {...labelled}
        name="value"
        value={values[0]}
        onChange={(event) => change([event.target.value])}
        className="sm:w-auto"
        options={options}
      />
    )}
  />
);
