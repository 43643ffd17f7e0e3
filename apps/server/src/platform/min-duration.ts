import { setTimeout as wait } from 'node:timers/promises';

/** Answers no sooner than `ms` after the question, so that the time does not tell what was found. */
export async function withMinDuration<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([work(), wait(ms)]);
  return result;
}
