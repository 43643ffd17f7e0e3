/** Below it Lighthouse itself says that the machine is slower than its presets expect. */
const EXPECTED_INDEX = 1000;

/** A machine that is slow or busy has part of the way to a phone behind it, and is slowed down by the rest. */
export function cpuSlowdown(benchmarkIndex: number, wanted: number): number {
  const share = Math.min(1, benchmarkIndex / EXPECTED_INDEX);
  return Math.max(1, Math.round(wanted * share * 10) / 10);
}
