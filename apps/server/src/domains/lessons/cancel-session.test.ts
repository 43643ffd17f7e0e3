import {
  type CancellationPolicy,
  cancellationPolicy,
} from '@lessonbook/contract/cancellation-policy-settings';
import { type CancelInput, sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsAsText,
  type LessonFixture,
} from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

const createPolicy = (noticeHours: number, feePercent: number): CancellationPolicy => ({
  tiers: [{ noticeHours, dayBeforeTime: null, feePercent }],
  freeLateCancellations: 0,
  illnessNote: null,
});
const DEFAULT_POLICY = createPolicy(24, 100);

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

/** A lesson on Monday 16 November at 14:00, two hours after the test clock starts. */
const thisAfternoon = { date: '2026-11-16', startTime: '14:00', endTime: '15:00' };

describe('cancelling', () => {
  test('[SESS-26] stores who cancelled and why, and charges nothing if no fee is requested', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    const response = await cancel(fixture, sessionId, {
      cancelledBy: 'student',
      reason: ' School trip ',
    });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'student',
      cancelReason: 'School trip',
      charged: null,
      outstanding: null,
    });
    expect(
      (await fixture.browser.call(sessions.session, { params: { id: sessionId } })).body,
    ).toEqual(response.body);
  });

  test('[SESS-26] charges the proposed fee for a late cancellation', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    const proposed = await propose(fixture, sessionId, 'carer');
    expect(proposed).toEqual({
      freeUntil: '2026-11-15T14:00:00.000Z',
      noticeMinutes: 120,
      fee: 3500,
      currency: 'GBP',
      reason: "2 hours' notice: £35",
    });
    const response = await cancel(fixture, sessionId, { cancelledBy: 'carer', chargeFee: true });
    expect(response.body).toMatchObject({ status: 'cancelled', charged: 3500, outstanding: 3500 });
  });

  test('never charges when the tutor cancels, even if a fee is requested', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    expect(await propose(fixture, sessionId, 'tutor')).toMatchObject({
      fee: null,
      reason: 'You cancelled: no charge',
    });
    const response = await cancel(fixture, sessionId, { cancelledBy: 'tutor', chargeFee: true });
    expect(response.body).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'tutor',
      charged: null,
    });
  });

  test('never charges for a free lesson', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, { ...thisAfternoon, fee: null });
    expect(await propose(fixture, sessionId, 'student')).toMatchObject({
      fee: null,
      reason: 'Free lesson: no charge',
    });
    const response = await cancel(fixture, sessionId, { cancelledBy: 'student', chargeFee: true });
    expect(response.body.charged).toBeNull();
  });

  test('charges nothing if enough notice is given', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, {
      date: '2026-11-17',
      startTime: '12:00',
      endTime: '13:00',
    });
    expect(await propose(fixture, sessionId, 'carer')).toMatchObject({
      noticeMinutes: 24 * 60,
      fee: null,
      reason: "24 hours' notice: no charge",
    });
    const response = await cancel(fixture, sessionId, { cancelledBy: 'carer', chargeFee: true });
    expect(response.body.charged).toBeNull();
  });

  test('a no-show counts as no notice', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, {
      ...thisAfternoon,
      startTime: '11:00',
      endTime: '12:00',
    });
    expect(await propose(fixture, sessionId, 'student')).toMatchObject({
      noticeMinutes: -60,
      fee: 3500,
      reason: 'No notice: £35',
    });
  });

  test('takes the amount from the policy and ignores amounts in the request', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    const response = await fixture.browser.send('POST', `/api/sessions/${sessionId}/cancel`, {
      cancelledBy: 'carer',
      chargeFee: true,
      fee: 999,
      amount: 1,
      charged: 5,
      currency: 'USD',
    });
    expect(response.body).toMatchObject({ charged: 3500, currency: 'GBP' });
  });

  test.each([
    ['cancelledBy', {}, 'Please say who cancelled'],
    ['cancelledBy', { cancelledBy: 'the dog' }, 'Please say who cancelled'],
    [
      'reason',
      { cancelledBy: 'carer', reason: 'x'.repeat(501) },
      'Please use at most 500 characters',
    ],
  ])('returns 400 for an invalid %s and cancels nothing', async (field, body, message) => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const response = await fixture.browser.send('POST', `/api/sessions/${sessionId}/cancel`, body);
    expect(response.status).toBe(400);
    expect(response.error.fields).toEqual({ [field]: message });
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-11-17 16:00 scheduled']);
  });

  test('calculates the notice in elapsed hours across a clock change', async () => {
    app.clock.advance({ days: 131, hours: 4 });
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, { date: '2027-03-28' });
    expect(await propose(fixture, sessionId, 'carer')).toMatchObject({
      noticeMinutes: 23 * 60,
      fee: 3500,
      reason: "23 hours' notice: £35",
    });
  });

  test("calculates the notice in the tutor's time zone", async () => {
    const fixture = await createTutorWithStudentAndSubject(app, 'America/New_York');
    const { sessionId } = await addLesson(fixture, {
      date: '2026-11-16',
      startTime: '09:00',
      endTime: '10:00',
    });
    expect((await propose(fixture, sessionId, 'carer')).reason).toBe("2 hours' notice: £35");
  });
});

describe('the cancellation policy', () => {
  test("defaults to a day's notice and the full fee, and can be changed", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    expect((await fixture.browser.call(cancellationPolicy.policy)).body).toEqual({
      current: DEFAULT_POLICY,
      planned: null,
      earliestStart: '2026-11-16',
      isPortalOpen: false,
    });
    for (const policy of [createPolicy(1, 10), createPolicy(48, 50)]) {
      const saved = await fixture.browser.call(cancellationPolicy.updatePolicy, { body: policy });
      expect(saved.body).toMatchObject({ current: policy, planned: null });
    }
    const read = await fixture.browser.call(cancellationPolicy.policy);
    expect(read.body.current).toEqual(createPolicy(48, 50));
    const { sessionId } = await addLesson(fixture);
    expect((await propose(fixture, sessionId, 'carer')).reason).toBe("28 hours' notice: £17.50");
    const response = await cancel(fixture, sessionId, { cancelledBy: 'carer', chargeFee: true });
    expect(response.body.charged).toBe(1750);
  });

  test('proposes no charge if the fee is 0 per cent', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await fixture.browser.call(cancellationPolicy.updatePolicy, {
      body: createPolicy(24, 0),
    });
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    expect(await propose(fixture, sessionId, 'carer')).toMatchObject({
      fee: null,
      reason: "2 hours' notice: no charge",
    });
  });

  test('a change does not affect fees already charged', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, thisAfternoon);
    await cancel(fixture, sessionId, { cancelledBy: 'carer', chargeFee: true });
    await fixture.browser.call(cancellationPolicy.updatePolicy, {
      body: createPolicy(1, 10),
    });
    const { body } = await fixture.browser.call(sessions.session, { params: { id: sessionId } });
    expect(body.charged).toBe(3500);
  });

  test.each([
    ['noticeHours', { noticeHours: -1 }, 'Please enter 0 or more'],
    ['noticeHours', { noticeHours: 721 }, 'Please enter 720 or less'],
    ['noticeHours', { noticeHours: '24' }, 'Please enter a number of hours'],
    ['noticeHours', { noticeHours: 1.5 }, 'Please enter a number of hours'],
    ['feePercent', { feePercent: 101 }, 'Please enter 0 to 100'],
    ['feePercent', { feePercent: -1 }, 'Please enter 0 to 100'],
    ['feePercent', { feePercent: null }, 'Please enter a percentage'],
    ['feePercent', { feePercent: 33.3 }, 'Please enter a percentage'],
  ])('returns 400 with a message for an invalid %s (%j)', async (field, change, message) => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const body = { tiers: [{ noticeHours: 24, feePercent: 100, ...change }] };
    const response = await fixture.browser.send('PUT', '/api/settings/cancellation-policy', body);
    expect(response.status).toBe(400);
    expect(response.error.fields).toEqual({ [`tiers.0.${field}`]: message });
    const read = await fixture.browser.call(cancellationPolicy.policy);
    expect(read.body.current).toEqual(DEFAULT_POLICY);
  });
});
