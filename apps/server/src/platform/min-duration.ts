import { setTimeout as wait } from 'node:timers/promises';

/** Takes at least `ms` milliseconds, so that the duration does not reveal the result. */
export async function withMinDuration<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([work(), wait(ms)]);
  return result;
}
