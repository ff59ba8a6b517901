import { type Home, homeCount } from "../homes";

/**
 * Reads homes like `512-1023` or `17 18 40-50`, separated by spaces or commas.
 * @returns the homes in ascending order, each once
 * @throws {RangeError} with a sentence for the operator, for any other text
 */
export function readHomes(text: string): Home[] {
  const homes = new Set<number>();
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [, first = "", last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === "" || from > to || to >= homeCount)
      throw new RangeError(`${part} is not a home from 0 to ${homeCount - 1}, nor a range like 512-1023.`);
    for (let home = from; home <= to; home++) homes.add(home);
  }
  if (homes.size === 0) throw new RangeError(`Name the homes, like 512-1023 or 17.`);
  return [...homes].sort((a, b) => a - b) as Home[];
}

/** Writes homes as ranges, like `17-18 40`, or `none`. */
export function writeHomes(homes: readonly number[]): string {
  const parts: [first: number, last: number][] = [];
  for (const home of [...homes].sort((a, b) => a - b)) {
    const current = parts.at(-1);
    if (current && current[1] === home - 1) current[1] = home;
    else parts.push([home, home]);
  }
  return parts.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(" ") || "none";
}
