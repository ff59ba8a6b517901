export type Bounds = {
  /** The maximum length, in code points. */
  max: number;
  /**
   * The minimum length, in code points. The default is 1. With 0, the text may be empty or blank.
   */
  min?: number;
  /** Whether newlines and tabs are allowed. */
  lines?: boolean;
};

/** Match plain ASCII text, whose characters need no further check. */
const plainLine = /^[\x20-\x7e]*$/;
const plainLines = /^[\x20-\x7e\n\t]*$/;
const controls = /[\p{Cc}\u2028\u2029]/u;
/**
 * Matches the control characters that texts of several lines may contain: newlines, also as CR LF,
 * and tabs.
 */
const allowedControls = /\r\n|[\n\t]/g;
const bidiOverrides = /[\u202a-\u202e\u2066-\u2069]/;
const tags = /[\u{e0000}-\u{e007f}]/u;
const piledMarks = /[\p{Mn}\p{Me}]{4,}/u;
/** Matches a visible character. */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}\u2800\u{1d159}]/u;

/** Returns what is wrong with a text, or undefined if nothing is. */
export function textProblem(value: string, { max, min = 1, lines = false }: Bounds): string | undefined {
  if (value.length > max && codePoints(value) > max) return `Must be at most ${max.toLocaleString("en")} characters`;
  if (value.length < min) return "Must not be empty";
  if (!(lines ? plainLines : plainLine).test(value)) {
    const problem = characterProblem(value, lines);
    if (problem) return problem;
  }
  if (min > 0 && !visible.test(value)) return "Must not be blank";
  return undefined;
}

/** Returns what is wrong with a text's characters, or undefined if nothing is. */
export function characterProblem(value: string, lines: boolean): string | undefined {
  if (!value.isWellFormed()) return "Must not contain an unpaired surrogate";
  if (controls.test(lines ? value.replace(allowedControls, "") : value))
    return lines ? "Must not contain control characters" : "Must be one line without control characters";
  if (bidiOverrides.test(value)) return "Must not contain bidirectional overrides";
  if (tags.test(value)) return "Must not contain Unicode tag characters";
  if (piledMarks.test(value)) return "Must not stack combining marks";
  return undefined;
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}
