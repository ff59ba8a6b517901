import { resetEnv, settingNames } from "@/lib/config/env";

/**
 * Changes settings in a test, and clears the service's cached settings. Each test file starts
 * without settings, except those in lib/testing/database-per-test-file.ts.
 * @param settings new values; undefined unsets a setting
 */
export function configure(settings: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  resetEnv();
}

/** Unsets these settings in a test. By default, unsets all settings. */
export const unset = (names: readonly string[] = settingNames): void =>
  configure(Object.fromEntries(names.map((name) => [name, undefined])));
