import { type CancelInput, sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createLessonFixture,
  formatSessions,
  type LessonFixture,
} from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

const cancel = (
  fixture: LessonFixture,
  id: number,
  body: Partial<CancelInput> & { cancelledBy: 'tutor' | 'student' | 'carer' },
) => fixture.browser.call(sessions.cancelSession, { params: { id }, body });
const propose = async (
  fixture: LessonFixture,
  id: number,
  cancelledBy: 'tutor' | 'student' | 'carer',
) =>
  (
    await fixture.browser.call(sessions.cancellationProposal, {
      params: { id },
      query: { cancelledBy },
    })
  ).body;

/** A lesson on Monday 16 November at 14:00, two hours after the clock starts. */
const thisAfternoon = { date: '2026-11-16', startTime: '14:00', endTime: '15:00' };

describe('cancelling', () => {
  test('[SESS-26] says who and why, and costs nothing when the tutor does not ask for it', async () => {
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    const answer = await cancel(fixture, sessionId, {
      cancelledBy: 'student',
      reason: ' School trip ',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'student',
      cancelReason: 'School trip',
      charged: null,
      outstanding: null,
    });
    expect(
      (await fixture.browser.call(sessions.session, { params: { id: sessionId } })).body,
    ).toEqual(answer.body);
  });

  test('[SESS-26] late and with its fee is charged what was proposed', async () => {
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    const proposed = await propose(fixture, sessionId, 'carer');
    expect(proposed).toEqual({
      noticeMinutes: 120,
      fee: 35,
      currency: 'GBP',
      reason: '2 h notice: £35',
    });
    const answer = await cancel(fixture, sessionId, { cancelledBy: 'carer', chargeFee: true });
    expect(answer.body).toMatchObject({ status: 'cancelled', charged: 3500, outstanding: 3500 });
  });

  test("the tutor's own cancellation never charges, even when asked to", async () => {
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    expect(await propose(fixture, sessionId, 'tutor')).toMatchObject({
      fee: null,
      reason: 'You cancelled: no charge',
    });
    const answer = await cancel(fixture, sessionId, { cancelledBy: 'tutor', chargeFee: true });
    expect(answer.body).toMatchObject({ status: 'cancelled', cancelledBy: 'tutor', charged: null });
  });

  test('a free lesson never charges', async () => {
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture, { ...thisAfternoon, fee: null });
    expect(await propose(fixture, sessionId, 'student')).toMatchObject({
      fee: null,
      reason: 'Free lesson: no charge',
    });
    const answer = await cancel(fixture, sessionId, { cancelledBy: 'student', chargeFee: true });
    expect(answer.body.charged).toBeNull();
  });

  test('with enough notice there is no fee to charge', async () => {
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture, {
      date: '2026-11-17',
      startTime: '12:00',
      endTime: '13:00',
    });
    expect(await propose(fixture, sessionId, 'carer')).toMatchObject({
      noticeMinutes: 24 * 60,
      fee: null,
      reason: '24 h notice: no charge',
    });
    const answer = await cancel(fixture, sessionId, { cancelledBy: 'carer', chargeFee: true });
    expect(answer.body.charged).toBeNull();
  });

  test('a no-show is cancelled without notice', async () => {
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture, {
      ...thisAfternoon,
      startTime: '11:00',
      endTime: '12:00',
    });
    expect(await propose(fixture, sessionId, 'student')).toMatchObject({
      noticeMinutes: -60,
      fee: 35,
      reason: 'No notice: £35',
    });
  });

  test("the amount is the policy's: what the caller sends about money is not heard", async () => {
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    const answer = await fixture.browser.send('POST', `/api/sessions/${sessionId}/cancel`, {
      cancelledBy: 'carer',
      chargeFee: true,
      fee: 999,
      amount: 1,
      charged: 5,
      currency: 'USD',
    });
    expect(answer.body).toMatchObject({ charged: 3500, currency: 'GBP' });
  });

  test.each([
    ['cancelledBy', {}, 'Please say who cancelled'],
    ['cancelledBy', { cancelledBy: 'the dog' }, 'Please say who cancelled'],
    [
      'reason',
      { cancelledBy: 'carer', reason: 'x'.repeat(501) },
      'Please use at most 500 characters',
    ],
  ])('a wrong %s is refused in words and nothing is cancelled', async (field, body, message) => {
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture);
    const answer = await fixture.browser.send('POST', `/api/sessions/${sessionId}/cancel`, body);
    expect(answer.status).toBe(400);
    expect(answer.error.fields).toEqual({ [field]: message });
    expect(await formatSessions(fixture)).toEqual(['2026-11-17 16:00 scheduled']);
  });

  test('the notice is counted in hours that pass, not by the wall, in the night the clocks change', async () => {
    app.clock.forward({ days: 131, hours: 4 });
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture, { date: '2027-03-28' });
    expect(await propose(fixture, sessionId, 'carer')).toMatchObject({
      noticeMinutes: 23 * 60,
      fee: 35,
      reason: '23 h notice: £35',
    });
  });

  test('the notice is counted by the clock of the tutor', async () => {
    const fixture = await createLessonFixture(app, 'America/New_York');
    const { sessionId } = await addLesson(fixture, {
      date: '2026-11-16',
      startTime: '09:00',
      endTime: '10:00',
    });
    expect((await propose(fixture, sessionId, 'carer')).reason).toBe('2 h notice: £35');
  });
});

describe('the cancellation policy', () => {
  test('is a day of notice and the whole fee until the tutor chooses another', async () => {
    const fixture = await createLessonFixture(app);
    expect((await fixture.browser.call(timeOff.policy)).body).toEqual({
      noticeHours: 24,
      feePercent: 100,
    });
    const policy = { noticeHours: 48, feePercent: 50 };
    for (const body of [{ noticeHours: 1, feePercent: 10 }, policy]) {
      const saved = await fixture.browser.call(timeOff.updatePolicy, { body });
      expect(saved.body).toEqual(body);
    }
    expect((await fixture.browser.call(timeOff.policy)).body).toEqual(policy);
    const { sessionId } = await addLesson(fixture);
    expect((await propose(fixture, sessionId, 'carer')).reason).toBe('28 h notice: £17.50');
    const answer = await cancel(fixture, sessionId, { cancelledBy: 'carer', chargeFee: true });
    expect(answer.body.charged).toBe(1750);
  });

  test('of no fee at all says so', async () => {
    const fixture = await createLessonFixture(app);
    await fixture.browser.call(timeOff.updatePolicy, { body: { noticeHours: 24, feePercent: 0 } });
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    expect(await propose(fixture, sessionId, 'carer')).toMatchObject({
      fee: null,
      reason: '2 h notice: no charge',
    });
  });

  test('a later change touches no fee that was charged before', async () => {
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    await cancel(fixture, sessionId, { cancelledBy: 'carer', chargeFee: true });
    await fixture.browser.call(timeOff.updatePolicy, { body: { noticeHours: 1, feePercent: 10 } });
    const { body } = await fixture.browser.call(sessions.session, { params: { id: sessionId } });
    expect(body.charged).toBe(3500);
  });

  test.each([
    ['noticeHours', { noticeHours: -1 }, 'Please enter 0 or more'],
    ['noticeHours', { noticeHours: 721 }, 'At most 720 hours'],
    ['noticeHours', { noticeHours: '24' }, 'Please enter a number of hours'],
    ['noticeHours', { noticeHours: 1.5 }, 'Please enter a number of hours'],
    ['feePercent', { feePercent: 101 }, 'Please enter 0 to 100'],
    ['feePercent', { feePercent: -1 }, 'Please enter 0 to 100'],
    ['feePercent', { feePercent: null }, 'Please enter a percentage'],
    ['feePercent', { feePercent: 33.3 }, 'Please enter a percentage'],
  ])('a wrong %s (%j) is refused in words', async (field, change, message) => {
    const fixture = await createLessonFixture(app);
    const body = { noticeHours: 24, feePercent: 100, ...change };
    const answer = await fixture.browser.send('PUT', '/api/settings/policy', body);
    expect(answer.status).toBe(400);
    expect(answer.error.fields).toEqual({ [field]: message });
    expect((await fixture.browser.call(timeOff.policy)).body).toEqual({
      noticeHours: 24,
      feePercent: 100,
    });
  });
});
