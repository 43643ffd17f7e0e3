/** Mann–Whitney U test: compares two samples of timings without assuming a distribution. */
export function compareTimings(first: readonly number[], second: readonly number[]) {
  // The proportion of pairs in which the first value is larger: 0.5 means no difference, 0 or 1 means complete separation.
  const comparisons = first.flatMap((a) => second.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
  const proportionLarger =
    comparisons.reduce<number>((sum, value) => sum + value, 0) / comparisons.length;
  const [n, m] = [first.length, second.length];
  const zScore = (proportionLarger - 0.5) / Math.sqrt((n + m + 1) / (12 * n * m));
  return { proportionLarger, zScore, medians: [median(first), median(second)] as const };
}

function median(sample: readonly number[]): number {
  const sorted = sample.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
