import {
  type CancellationPolicyInput,
  cancellationPolicy,
} from '@lessonbook/contract/cancellation-policy-settings';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { sessions } from '@lessonbook/contract/sessions';
import { termCalendars } from '@lessonbook/contract/term-calendars';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addLesson, createTutorWithStudentAndSubject } from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

const STRICT: CancellationPolicyInput = {
  tiers: [{ noticeHours: 72, dayBeforeTime: null, feePercent: 100 }],
  freeLateCancellations: 0,
};

/** The portal has been open since today, 16 November 2026, so families can see the 24-hour policy. */
async function createOpenPortal() {
  const fixture = await createTutorWithStudentAndSubject(app);
  await fixture.browser.call(portalSettings.openPortal);
  const update = (body: CancellationPolicyInput) =>
    fixture.browser.call(cancellationPolicy.updatePolicy, { body });
  const readProposedFee = async (sessionId: number) => {
    const { body } = await fixture.browser.call(sessions.cancellationProposal, {
      params: { id: sessionId },
      query: { cancelledBy: 'carer' },
    });
    return body.fee;
  };
  return { fixture, update, readProposedFee };
}

describe('a change of the cancellation policy', () => {
  test('applies after 30 days once families can see the policy, and can be withdrawn before then', async () => {
    const { fixture, update } = await createOpenPortal();
    const { body } = await update(STRICT);
    expect(body).toMatchObject({
      current: { tiers: [{ noticeHours: 24, feePercent: 100 }] },
      planned: { startsOn: '2026-12-16', tiers: [{ noticeHours: 72 }] },
      earliestStart: '2026-12-16',
      isPortalOpen: true,
    });
    const withdrawn = await fixture.browser.call(cancellationPolicy.deletePlannedPolicy);
    expect(withdrawn.body).toMatchObject({
      current: { tiers: [{ noticeHours: 24 }] },
      planned: null,
    });
  });

  test('can start with the next term if that begins within 30 days, but not before it', async () => {
    const { fixture, update } = await createOpenPortal();
    await fixture.browser.call(termCalendars.createTermCalendar, {
      body: {
        name: 'Kent',
        terms: [
          { name: 'Autumn', fromDate: '2026-09-02', toDate: '2026-11-27' },
          { name: 'Winter', fromDate: '2026-12-07', toDate: '2027-02-12' },
        ],
      },
    });
    const tooEarly = await update({ ...STRICT, startsOn: '2026-12-06' });
    expect([tooEarly.status, Object.keys(tooEarly.error.fields ?? {})]).toEqual([
      400,
      ['startsOn'],
    ]);
    const { body } = await update({ ...STRICT, startsOn: '2026-12-07' });
    expect(body.planned?.startsOn).toBe('2026-12-07');
  });

  test('does not make cancelling booked lessons more expensive, and applies to lessons booked afterwards', async () => {
    const { fixture, update, readProposedFee } = await createOpenPortal();
    const booked = await addLesson(fixture, { date: '2026-12-18' });
    app.clock.advance({ minutes: 1 });
    await update(STRICT);
    app.clock.advance({ minutes: 1 });
    const bookedLater = await addLesson(fixture, {
      date: '2026-12-18',
      startTime: '18:00',
      endTime: '19:00',
    });
    const beforeStart = await addLesson(fixture, { date: '2026-12-15' });
    // Less than 30 days later, because a login expires after 30 days without use.
    app.clock.set('2026-12-13T12:00:00Z');
    expect(await readProposedFee(beforeStart.sessionId)).toBeNull();
    app.clock.set('2026-12-16T12:00:00Z');
    expect(await readProposedFee(booked.sessionId)).toBeNull();
    expect(await readProposedFee(bookedLater.sessionId)).toBe(3500);
    expect((await fixture.browser.call(cancellationPolicy.policy)).body).toMatchObject({
      current: { tiers: [{ noticeHours: 72 }] },
      planned: null,
    });
  });

  test('applies immediately, and to all lessons, while the portal is closed', async () => {
    const { fixture, update, readProposedFee } = await createOpenPortal();
    const { sessionId } = await addLesson(fixture, { date: '2026-11-18' });
    await update(STRICT);
    expect(await readProposedFee(sessionId)).toBeNull();
    await fixture.browser.call(portalSettings.closePortal);
    const { body } = await update(STRICT);
    expect(body).toMatchObject({ current: { tiers: [{ noticeHours: 72 }] }, planned: null });
    expect(await readProposedFee(sessionId)).toBe(3500);
  });

  test('is rejected unless each step has either hours or a valid time', async () => {
    const { fixture } = await createOpenPortal();
    for (const tier of [
      {},
      { noticeHours: 24, dayBeforeTime: '18:00' },
      { dayBeforeTime: '6pm' },
    ]) {
      const { status } = await fixture.browser.send('PUT', '/api/settings/cancellation-policy', {
        tiers: [{ ...tier, feePercent: 50 }],
      });
      expect(status, JSON.stringify(tier)).toBe(400);
    }
  });
});
