import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY, proposeFee } from './cancellation.ts';
import { toInstants } from './local-to-utc.ts';

const startsAt = new Date('2026-11-17T16:00:00Z');

const propose = (
  noticeMinutes: number,
  change: Partial<Parameters<typeof proposeFee>[0]> = {},
): ReturnType<typeof proposeFee> =>
  proposeFee({
    cancelledBy: 'carer',
    policy: DEFAULT_POLICY,
    fee: 3500,
    currency: 'GBP',
    startsAt,
    now: new Date(startsAt.getTime() - noticeMinutes * 60_000),
    ...change,
  });

describe('proposeFee', () => {
  test("proposes the full fee for less than a day's notice by default", () => {
    expect(DEFAULT_POLICY).toEqual({ noticeHours: 24, feePercent: 100 });
    expect(propose(120)).toEqual({ noticeMinutes: 120, fee: 3500, reason: "2 hours' notice: £35" });
  });

  test.each([
    [24 * 60, null, "24 hours' notice: no charge"],
    [24 * 60 - 1, 3500, "23 hours' notice: £35"],
    [24 * 60 + 1, null, "24 hours' notice: no charge"],
    [90, 3500, "1 hour's notice: £35"],
    [59, 3500, "59 minutes' notice: £35"],
    [1, 3500, "1 minute's notice: £35"],
    [0, 3500, 'No notice: £35'],
    [-30, 3500, 'No notice: £35'],
    [47 * 60, null, "47 hours' notice: no charge"],
    [48 * 60, null, "2 days' notice: no charge"],
    [10 * 24 * 60 + 5, null, "10 days' notice: no charge"],
  ])(
    'for %d minutes of notice, proposes the fee %s and the reason "%s"',
    (minutes, fee, reason) => {
      expect(propose(minutes)).toMatchObject({ fee, reason });
    },
  );

  test('proposes no fee when the tutor cancelled or the lesson is free', () => {
    expect(propose(5, { cancelledBy: 'tutor' })).toMatchObject({
      fee: null,
      reason: 'You cancelled: no charge',
    });
    expect(propose(5, { fee: null })).toMatchObject({
      fee: null,
      reason: 'Free lesson: no charge',
    });
    expect(propose(5, { fee: null, cancelledBy: 'tutor' }).reason).toBe('You cancelled: no charge');
  });

  test('proposes the same fee for the student and the carer', () => {
    expect(propose(5, { cancelledBy: 'student' })).toEqual(propose(5));
  });

  test('rounds the fee to the nearest penny and shows pence only if there are any', () => {
    const half = { policy: { noticeHours: 48, feePercent: 50 } };
    expect(propose(60, half)).toMatchObject({ fee: 1750, reason: "1 hour's notice: £17.50" });
    expect(propose(60, { ...half, fee: 4000 }).reason).toBe("1 hour's notice: £20");
    expect(propose(60, { ...half, fee: 3333 }).fee).toBe(1667);
    expect(propose(60, { ...half, currency: 'EUR' }).reason).toBe("1 hour's notice: €17.50");
    expect(propose(60, { ...half, currency: 'INR' }).reason).toBe("1 hour's notice: ₹17.50");
  });

  test('proposes no fee if the notice period or the percentage is zero', () => {
    expect(propose(0, { policy: { noticeHours: 0, feePercent: 100 } }).fee).toBeNull();
    expect(propose(5, { policy: { noticeHours: 24, feePercent: 0 } })).toMatchObject({
      fee: null,
      reason: "5 minutes' notice: no charge",
    });
  });

  test('counts elapsed hours across a clock change', () => {
    const startOn = (date: string) =>
      toInstants('Europe/London', { date, startTime: '16:00', endTime: '17:00' }).startsAt;
    const inSpring = { now: startOn('2027-03-27'), startsAt: startOn('2027-03-28') };
    expect(propose(0, inSpring)).toMatchObject({ noticeMinutes: 23 * 60, fee: 3500 });
    const inAutumn = { now: startOn('2026-10-24'), startsAt: startOn('2026-10-25') };
    expect(propose(0, inAutumn)).toMatchObject({ noticeMinutes: 25 * 60, fee: null });
  });
});
