/** A finding's severity: fine, worth knowing, or must be fixed. */
type Standing = "ok" | "note" | "fail";

/** One sentence for the operator. Unless the standing is `ok`, the sentence names the next step. */
type Finding = { standing: Standing; says: string };

export type CheckResult = { findings: readonly Finding[] };

/** A check with its display name. */
export type Section = CheckResult & { about: string };

export const ok = (says: string): Finding => ({ standing: "ok", says });
export const note = (says: string): Finding => ({ standing: "note", says });
export const fail = (says: string): Finding => ({ standing: "fail", says });

/** Returns the findings or, if there are none, `well` as the only finding. */
export const findingsOr = (findings: readonly (Finding | false | undefined)[], well: string): Finding[] => {
  const real = findings.filter((it) => typeof it === "object");
  return real.length > 0 ? real : [ok(well)];
};

/**
 * Formats a duration, without its sign and rounded down, in the largest unit of which it has at
 * least two. Durations below two minutes are in seconds.
 */
export function spanText(seconds: number): string {
  const whole = Math.round(Math.abs(seconds));
  const [unit, size] = (
    [
      ["days", 172_800, 86_400],
      ["h", 7200, 3600],
      ["min", 120, 60],
    ] as const
  )
    .filter(([, from]) => whole >= from)
    .map(([name, , each]) => [name, each] as const)[0] ?? ["s", 1];
  return `${Math.floor(whole / size)} ${unit}`;
}

export function sizeText(bytes: number): string {
  const names = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(names.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${names[power]}`;
}
