/** A length of time in a few words: "40 s", "3 min", "2 h", "5 d". @param ms milliseconds */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 1) return "less than a second";
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
