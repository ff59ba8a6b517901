/** Fits a line through points by least squares. Returns its slope with the standard error. */
export type Slope = { perUnit: number; error: number };

/** @param points at least three, not all at the same x */
export function slopeOf(points: readonly (readonly [number, number])[]): Slope {
  const n = points.length;
  const mean = (pick: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / n;
  const [x0, y0] = [mean(([x]) => x), mean(([, y]) => y)];
  const spread = points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
  const perUnit = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0) / spread;
  const residue = points.reduce((sum, [x, y]) => sum + (y - y0 - perUnit * (x - x0)) ** 2, 0);
  return { perUnit, error: Math.sqrt(residue / (n - 2) / spread) };
}
