/** Below this benchmark index, Lighthouse warns that the machine is slower than its presets expect. */
const EXPECTED_INDEX = 1000;

/** The CPU slowdown factor to apply: lower on a slow or busy machine, which is already closer to a phone. */
export function cpuSlowdown(benchmarkIndex: number, target: number): number {
  const speed = Math.min(1, benchmarkIndex / EXPECTED_INDEX);
  return Math.max(1, Math.round(target * speed * 10) / 10);
}
