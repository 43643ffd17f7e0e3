import { describe, expect, test } from 'vitest';
import { jobs } from '../../jobs.ts';
import { retryPolicy } from './job.ts';

/** The shortest and the longest time from the first attempt to the last, as pg-boss computes the delays. */
function retryDuration({ retryLimit, retryDelay, retryDelayMax }: ReturnType<typeof retryPolicy>) {
  const sum = (jitter: number) =>
    Array.from({ length: retryLimit }, (_, retry) =>
      Math.min(retryDelay * 2 ** retry * (1 + jitter), retryDelayMax),
    ).reduce((total, delay) => total + delay, 0);
  return { shortest: sum(0), longest: sum(1) };
}

const HOUR = 3_600;
const durationOf = (name: string) => {
  const job = jobs.find((each) => each.name === name);
  if (!job) throw new Error(`No job ${name}`);
  return retryDuration(retryPolicy(job.retryFor));
};

describe('F11 the retry budget', () => {
  test.each([
    ['send-message', 24],
    ['notification-mail', 24],
    ['account-mail', 48],
    ['security-mail', 48],
    ['google-linked-mail', 48],
    ['deletion-mail', 48],
    ['card-event', 72],
    ['card-refund', 72],
  ])('of %s is at least %i hours', (name, hours) => {
    const { shortest, longest } = durationOf(name);
    expect(shortest).toBeGreaterThanOrEqual(hours * HOUR);
    expect(longest).toBeLessThan((hours + 1) * HOUR);
  });

  test('of an email with a link is shorter than the time for which the link is valid', () => {
    expect(durationOf('password-reset-mail').longest).toBeLessThan(HOUR);
    expect(durationOf('account-mail').longest).toBeLessThan(72 * HOUR);
  });

  test('still includes at least a dozen attempts if it is short', () => {
    expect(retryPolicy({ minutes: 1 })).toMatchObject({ retryDelayMax: 5, retryLimit: 13 });
  });
});
