import { describe, expect, test } from 'vitest';
import {
  type CancellableSession,
  cancellationCost,
  cancellationCostWithMoveRequests,
  cancellationSteps,
  DEFAULT_POLICY,
  type MoveRequestNotice,
  type PolicyVersion,
  proposeFee,
} from './cancellation.ts';
import { toInstants } from './local-to-utc.ts';

const startsAt = new Date('2026-11-17T16:00:00Z');

const LONDON = 'Europe/London';

type Tier = { feePercent: number; noticeHours?: number; dayBeforeTime?: string };

const version = (tiers: Tier[], overrides: Partial<PolicyVersion> = {}): PolicyVersion => ({
  tiers: tiers.map(({ noticeHours = null, dayBeforeTime = null, feePercent }) => ({
    noticeHours,
    dayBeforeTime,
    feePercent,
  })),
  freeLateCancellations: 0,
  illnessNote: null,
  startsOn: '1900-01-01',
  createdAt: new Date('2020-01-01T00:00:00Z'),
  ...overrides,
});

/** A session at 4pm in London. */
const sessionOn = (date: string, bookedAt = '2026-06-01T12:00:00Z'): CancellableSession => ({
  date,
  startsAt: toInstants(LONDON, { date, startTime: '16:00', endTime: '17:00' }).startsAt,
  bookedAt: new Date(bookedAt),
});

const propose = (
  noticeMinutes: number,
  {
    tiers,
    ...overrides
  }: Partial<Parameters<typeof proposeFee>[0]> & {
    tiers?: Tier[];
  } = {},
): ReturnType<typeof proposeFee> => {
  const session = {
    date: '2026-11-17',
    startsAt: overrides.startsAt ?? startsAt,
    bookedAt: startsAt,
  };
  return proposeFee({
    cancelledBy: 'carer',
    steps: cancellationSteps(tiers ? [version(tiers)] : [], session, LONDON),
    fee: 3500,
    currency: 'GBP',
    startsAt,
    now: new Date(startsAt.getTime() - noticeMinutes * 60_000),
    ...overrides,
  });
};

describe('proposeFee', () => {
  test("proposes the full fee for less than a day's notice by default", () => {
    expect(DEFAULT_POLICY.tiers).toEqual([
      { noticeHours: 24, dayBeforeTime: null, feePercent: 100 },
    ]);
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
    const half = { tiers: [{ noticeHours: 48, feePercent: 50 }] };
    expect(propose(60, half)).toMatchObject({ fee: 1750, reason: "1 hour's notice: £17.50" });
    expect(propose(60, { ...half, fee: 4000 }).reason).toBe("1 hour's notice: £20");
    expect(propose(60, { ...half, fee: 3333 }).fee).toBe(1667);
    expect(propose(60, { ...half, currency: 'EUR' }).reason).toBe("1 hour's notice: €17.50");
    expect(propose(60, { ...half, currency: 'INR' }).reason).toBe("1 hour's notice: ₹17.50");
  });

  test('proposes no fee if the notice period or the percentage is zero', () => {
    expect(propose(0, { tiers: [{ noticeHours: 0, feePercent: 100 }] }).fee).toBeNull();
    expect(propose(5, { tiers: [{ noticeHours: 24, feePercent: 0 }] })).toMatchObject({
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

describe('cancellationSteps', () => {
  const at = (text: string) => new Date(text);

  test('if there are several steps, the highest percentage whose cut-off has passed applies', () => {
    const policy = version([
      { noticeHours: 12, feePercent: 100 },
      { noticeHours: 24, feePercent: 50 },
      // This step costs less than the one before, so it has no effect.
      { noticeHours: 6, feePercent: 20 },
    ]);
    const steps = cancellationSteps([policy], sessionOn('2026-11-17'), LONDON);
    expect(steps).toEqual([
      { after: at('2026-11-16T16:00:00Z'), feePercent: 50 },
      { after: at('2026-11-17T04:00:00Z'), feePercent: 100 },
    ]);
    const cost = (now: string) => cancellationCost(steps, 3500, at(now));
    expect(cost('2026-11-16T16:00:00.000Z')).toEqual({
      fee: 0,
      freeUntil: at('2026-11-16T16:00:00Z'),
      increase: { at: at('2026-11-16T16:00:00Z'), fee: 1750 },
    });
    expect(cost('2026-11-16T16:00:00.001Z')).toEqual({
      fee: 1750,
      freeUntil: at('2026-11-16T16:00:00Z'),
      increase: { at: at('2026-11-17T04:00:00Z'), fee: 3500 },
    });
    expect(cost('2026-11-17T15:59:59Z')).toMatchObject({ fee: 3500, increase: null });
  });

  test.each([
    ['2027-03-28', '2027-03-27T18:00:00Z'],
    ['2027-03-29', '2027-03-28T17:00:00Z'],
    ['2026-10-25', '2026-10-24T17:00:00Z'],
    ['2026-10-26', '2026-10-25T18:00:00Z'],
  ])('the cut-off at 6pm on the day before a lesson on %s is %s', (date, cutOff) => {
    const policy = version([{ dayBeforeTime: '18:00', feePercent: 100 }]);
    expect(cancellationSteps([policy], sessionOn(date), LONDON)).toEqual([
      { after: at(cutOff), feePercent: 100 },
    ]);
  });

  test('cancelling is always free under a policy without steps', () => {
    const steps = cancellationSteps([version([])], sessionOn('2026-11-17'), LONDON);
    expect(cancellationCost(steps, 3500, startsAt)).toEqual({
      fee: 0,
      freeUntil: null,
      increase: null,
    });
  });

  describe('with a new version of the policy', () => {
    const old = version([{ noticeHours: 24, feePercent: 50 }]);
    const strict = version([{ noticeHours: 48, feePercent: 100 }], {
      startsOn: '2026-12-18',
      createdAt: at('2026-11-18T09:00:00Z'),
    });
    const mild = { ...strict, tiers: version([{ noticeHours: 2, feePercent: 10 }]).tiers };
    const hours = (versions: PolicyVersion[], date: string, bookedAt: string) => {
      const session = sessionOn(date, bookedAt);
      return cancellationSteps(versions, session, LONDON).map(({ after, feePercent }) => [
        (session.startsAt.getTime() - after.getTime()) / 3_600_000,
        feePercent,
      ]);
    };
    const before = '2026-11-01T09:00:00Z';
    const after = '2026-11-20T09:00:00Z';

    test('lessons before its start date are not affected', () => {
      expect(hours([old, strict], '2026-12-17', before)).toEqual([[24, 50]]);
      expect(hours([old, strict], '2026-12-17', after)).toEqual([[24, 50]]);
    });

    test('lessons booked after it was created follow the new version', () => {
      expect(hours([old, strict], '2026-12-18', after)).toEqual([[48, 100]]);
    });

    test('for lessons that were already booked, the lower of the two costs applies', () => {
      expect(hours([old, strict], '2026-12-18', before)).toEqual([[24, 50]]);
      expect(hours([old, mild], '2026-12-18', before)).toEqual([[2, 10]]);
      const mixed = { ...strict, tiers: version([{ noticeHours: 48, feePercent: 20 }]).tiers };
      expect(hours([old, mixed], '2026-12-18', before)).toEqual([[24, 20]]);
    });
  });
});

describe('cancelling after a request to move the lesson', () => {
  const session = sessionOn('2026-11-17');
  const steps = cancellationSteps(
    [
      version([
        { noticeHours: 24, feePercent: 50 },
        { noticeHours: 12, feePercent: 100 },
      ]),
    ],
    session,
    LONDON,
  );
  const at = (hoursBefore: number) => new Date(startsAt.getTime() - hoursBefore * 3_600_000);
  const cost = (requests: MoveRequestNotice[], hoursBefore: number) =>
    cancellationCostWithMoveRequests(steps, 3500, { startsAt, requests }, at(hoursBefore));
  const open = (askedBefore: number): MoveRequestNotice => ({
    status: 'open',
    askedAt: at(askedBefore),
    answeredAt: null,
  });
  const declinedRequest = (askedBefore: number, answeredBefore: number): MoveRequestNotice => ({
    status: 'declined',
    askedAt: at(askedBefore),
    answeredAt: at(answeredBefore),
  });

  test('without a request, the fee depends on the notice given', () => {
    expect(cost([], 20)).toEqual(cancellationCost(steps, 3500, at(20)));
  });

  test('while the tutor has not answered, the fee is the one that applied when the family asked', () => {
    expect(cost([open(30)], 1)).toEqual({ fee: 0, freeUntil: null, increase: null });
    expect(cost([open(20)], 1)).toEqual({ fee: 1750, freeUntil: at(24), increase: null });
    expect(cost([open(6)], 1).fee).toBe(3500);
  });

  test('the earliest of several requests applies', () => {
    expect(cost([open(20), declinedRequest(30, 22)], 10)).toEqual({
      fee: 0,
      freeUntil: null,
      increase: null,
    });
  });

  test('the fee stays the same for a day after the tutor has declined, and then depends on the notice given', () => {
    const request = declinedRequest(50, 40);
    expect(cost([request], 39)).toEqual({
      fee: 0,
      freeUntil: at(16),
      increase: { at: at(16), fee: 1750 },
    });
    expect(cost([request], 16).fee).toBe(0);
    expect(cost([request], 15.9)).toEqual({
      fee: 1750,
      freeUntil: at(24),
      increase: { at: at(12), fee: 3500 },
    });
    // The request was answered too early to affect the cost.
    expect(cost([declinedRequest(100, 90)], 80)).toEqual({
      fee: 0,
      freeUntil: at(24),
      increase: { at: at(24), fee: 1750 },
    });
  });

  test('a declined request applies for a day after the refusal, and then an open request applies', () => {
    const requests = [open(20), declinedRequest(30, 38)];
    expect(cost(requests, 18)).toEqual({
      fee: 0,
      freeUntil: at(14),
      increase: { at: at(14), fee: 1750 },
    });
  });
});
