import type { Measured, Sample } from "./rounds";

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] as number) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/**
 * A ratio within one round, so that disturbances affect both values. Above 1 if the first is
 * larger.
 */
export const ratio = (these: number[], those: number[]): number =>
  median(these.map((value, round) => value / (those[round] ?? Number.NaN)));

export const perSecond = ({ perSecond }: Sample) => perSecond;
/** The CPU time of the server and of PostgreSQL for each request. */
export const cost = ({ node, postgres }: Sample) => node + postgres;

/**
 * One server's lead over another: above 1 if it answers more, costs less, or has faster slow
 * requests.
 */
export function ahead({ samples }: Measured, server: string, other: string) {
  const [ours = [], theirs = []] = [samples.get(server), samples.get(other)];
  return {
    perSecond: ratio(ours.map(perSecond), theirs.map(perSecond)),
    cost: ratio(theirs.map(cost), ours.map(cost)),
    p99: ratio(
      theirs.map(({ p99 }) => p99),
      ours.map(({ p99 }) => p99),
    ),
  };
}

/** How much slower and more expensive a server becomes with more data: above 1 if it does. */
export function growth(small: Measured, large: Measured, server: string) {
  const [few = [], many = []] = [small.samples.get(server), large.samples.get(server)];
  return {
    perSecond: ratio(few.map(perSecond), many.map(perSecond)),
    cost: ratio(many.map(cost), few.map(cost)),
  };
}
