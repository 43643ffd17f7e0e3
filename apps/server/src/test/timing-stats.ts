/** Whether two samples of times can be told apart, whatever their distribution and however noisy the machine. */
export function compareTimings(first: readonly number[], second: readonly number[]) {
  // How often a value of the first is the larger: 0.5 says nothing, 0 or 1 says everything (Mann and Whitney's U).
  const wins = first.flatMap((a) => second.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
  const larger = wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
  const [n, m] = [first.length, second.length];
  const deviations = (larger - 0.5) / Math.sqrt((n + m + 1) / (12 * n * m));
  return { larger, deviations, medians: [median(first), median(second)] as const };
}

function median(sample: readonly number[]): number {
  const sorted = sample.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
