/** Below this benchmark index, Lighthouse warns that the machine is slower than its presets expect. */
const EXPECTED_INDEX = 1000;

/** A slow or busy machine is already closer to a phone, so it is slowed down less. */
export function cpuSlowdown(benchmarkIndex: number, target: number): number {
  const share = Math.min(1, benchmarkIndex / EXPECTED_INDEX);
  return Math.max(1, Math.round(target * share * 10) / 10);
}
