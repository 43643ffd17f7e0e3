import { lessons as lessonEndpoints } from '@lessonbook/contract/lessons';
import { portalMoveRequests } from '@lessonbook/contract/move-requests';
import { portal } from '@lessonbook/contract/portal';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addLesson, lessonBody } from '../../test/lesson-fixture.ts';
import {
  ask,
  askWithKey,
  createSignedInFamily,
  decline,
  FRIDAY,
  listRequests,
  moveNotifications,
  type PortalPerson,
  readPortalLesson,
  readSession,
  SATURDAY,
  signInPerson,
  suggest,
  withdraw,
} from '../../test/move-request-fixture.ts';
import { addSecondContact } from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/* The test clock starts on Monday 16 November 2026, at noon. Leo's lesson is on Wednesday at 16:00. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

const freeTimes = ({ browser, publicId }: PortalPerson, seat: Record<string, number>) =>
  browser.call(portalMoveRequests.portalFreeTimes, {
    params: { publicId },
    query: seat as { sessionId: number; studentId: number },
  });

describe('asking to move a lesson', () => {
  test('changes nothing but notifies the tutor in the app and by email', async () => {
    const { browser, ruth, seat, own } = await createSignedInFamily(app);
    const before = await readPortalLesson(ruth, seat);
    expect(before).toMatchObject({ mayAskToMove: true, moveRequest: null });
    const { status, body } = await ask(ruth, seat, { message: 'School concert' });
    expect([status, body]).toEqual([201, { id: 1 }]);
    expect(await readSession(browser, own.sessionId)).toMatchObject({
      status: 'scheduled',
      date: '2026-11-18',
      startTime: '16:00',
    });
    expect(await readPortalLesson(ruth, seat)).toEqual({
      ...before,
      cancellation: { ...before?.cancellation, freeUntil: null, increase: null },
      mayAskToMove: false,
      moveRequest: {
        id: 1,
        status: 'open',
        choices: [FRIDAY, SATURDAY],
        suggestions: [],
        answer: '',
        isOwn: true,
      },
    });
    const text =
      "Ruth has asked to move Leo's lesson from Wed 18 Nov, 4pm to Fri 20 Nov, 5pm or Sat 21 Nov, 12:30pm.";
    expect(await moveNotifications(browser)).toMatchObject([
      { text, path: `/sessions/${own.sessionId}`, targetId: 1, requiresAction: true },
    ]);
    const email = await app.mailbox.waitFor(({ subject }) => subject === text.slice(0, -1));
    expect(email.text).toContain(`${app.context.config.origin}/sessions/${own.sessionId}`);
    expect(email.text).not.toContain('School concert');
  });

  test('shows the tutor each choice, with anything that conflicts with it', async () => {
    const { browser, fixture, ruth, seat, maya } = await createSignedInFamily(app);
    await addLesson(fixture, { studentId: maya.id, ...FRIDAY, endTime: '18:00' });
    await browser.call(timeOff.createTimeOff, {
      body: { fromDate: SATURDAY.date, toDate: SATURDAY.date, reason: 'Away' },
    });
    await ask(ruth, seat, { message: 'School concert' });
    expect(await listRequests(browser)).toEqual([
      {
        id: 1,
        status: 'open',
        ...seat,
        studentName: 'Leo Hale',
        contactName: 'Ruth Hale',
        subjectName: 'Maths',
        date: '2026-11-18',
        startTime: '16:00',
        endTime: '17:00',
        choices: [
          { ...FRIDAY, endTime: '18:00', conflict: 'Maya, 5pm to 6pm', isPast: false },
          { ...SATURDAY, endTime: '13:30', conflict: 'Time off', isPast: false },
        ],
        suggestions: [],
        message: 'School concert',
        askedAt: '2026-11-16T12:00:00.000Z',
      },
    ]);
  });

  test('requires a time within the next year, or a message', async () => {
    const { ruth, seat } = await createSignedInFamily(app);
    const invalid = [
      [{ date: '2026-11-16', startTime: '11:59' }],
      [{ date: '2027-11-18', startTime: '16:00' }],
      [{ date: '2026-11-20', startTime: '23:30' }],
      [{ date: '2026-11-18', startTime: '16:00' }],
      [FRIDAY, FRIDAY],
      [],
    ];
    for (const choices of invalid)
      expect((await ask(ruth, seat, { choices })).status, JSON.stringify(choices)).toBe(400);
    const message = 'Any morning at the weekend?';
    expect((await ask(ruth, seat, { choices: [], message })).status).toBe(201);
  });

  test('repeated calls with the same key create one request, and a second request is rejected while the first is pending', async () => {
    const { browser, ruth, seat } = await createSignedInFamily(app);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => askWithKey(ruth, seat, 'ask-to-move-leo')),
    );
    expect(replies.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 10 }, () => [201, { id: 1 }]),
    );
    const others = await Promise.all(Array.from({ length: 10 }, () => ask(ruth, seat)));
    expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 409));
    expect(others[0]?.error.message).toBe(
      "There's already a request to move this lesson. You can ask again once it has been answered or withdrawn.",
    );
    expect(await listRequests(browser)).toHaveLength(1);
    expect(await moveNotifications(browser)).toHaveLength(1);
  });

  test('is rejected for a group, after the lesson has started and for a cancelled lesson', async () => {
    const { browser, ruth, seat, group, maya } = await createSignedInFamily(app);
    const inGroup = { sessionId: group.sessionId, studentId: maya.id };
    expect((await ask(ruth, inGroup)).status).toBe(409);
    expect((await freeTimes(ruth, inGroup)).status).toBe(409);
    expect(await readPortalLesson(ruth, inGroup)).toMatchObject({ mayAskToMove: false });
    app.clock.advance({ hours: 52 });
    expect((await ask(ruth, seat)).status).toBe(409);
    await app.restartClock();
    await browser.call(sessions.cancelSession, {
      params: { id: seat.sessionId },
      body: { cancelledBy: 'tutor' },
    });
    expect((await ask(ruth, seat)).status).toBe(409);
    expect(await readPortalLesson(ruth, seat)).toMatchObject({ mayAskToMove: false });
  });

  test('is rate limited, because each request notifies the tutor', async () => {
    const limited = await startTestApp();
    try {
      const { ruth, seat } = await createSignedInFamily(limited);
      const statuses = [];
      for (let count = 0; count < 21; count += 1) {
        const { status, body } = await ask(ruth, seat);
        statuses.push(status);
        if (status === 201) await withdraw(ruth, body.id);
      }
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
    } finally {
      await limited.close();
    }
  });

  test("is listed in the contact's activity", async () => {
    const { browser, ruth, seat, contacts } = await createSignedInFamily(app);
    await ask(ruth, seat);
    const { body } = await browser.call(portalSettings.contactActivity, {
      params: { id: contacts.ruth },
    });
    expect(body[0]).toEqual({
      kind: 'asked_to_move',
      at: '2026-11-16T12:00:00.000Z',
      sessionId: seat.sessionId,
      studentName: 'Leo',
      date: '2026-11-18',
      startTime: '16:00',
    });
  });
});

describe('free times', () => {
  test('are within the tutor’s usual hours, and reveal nothing about other students', async () => {
    const { fixture, ruth, seat, sam } = await createSignedInFamily(app);
    // On Fridays the tutor teaches from 15:00 to 18:00.
    await addLesson(fixture, {
      studentId: sam.id,
      date: '2026-10-30',
      startTime: '15:00',
      endTime: '16:00',
    });
    await addLesson(fixture, {
      studentId: sam.id,
      date: '2026-11-20',
      startTime: '17:00',
      endTime: '18:00',
    });
    const { status, body } = await freeTimes(ruth, seat);
    expect(status).toBe(200);
    expect(body).toEqual({
      days: [
        // The tutor teaches on Tuesdays and Wednesdays from 16:00 to 17:00.
        { date: '2026-11-20', startTimes: ['15:00', '15:30', '16:00'] },
        { date: '2026-11-24', startTimes: ['16:00'] },
        { date: '2026-11-25', startTimes: ['16:00'] },
        { date: '2026-11-27', startTimes: ['15:00', '15:30', '16:00', '16:30', '17:00'] },
        { date: '2026-12-01', startTimes: ['16:00'] },
        { date: '2026-12-02', startTimes: ['16:00'] },
      ],
      closest: { date: '2026-11-20', startTime: '16:00' },
    });
  });
});

describe('withdrawing', () => {
  test('closes the notification, after which the person may ask again', async () => {
    const { browser, ruth, seat } = await createSignedInFamily(app);
    const { body } = await ask(ruth, seat);
    expect((await withdraw(ruth, body.id)).status).toBe(200);
    expect((await withdraw(ruth, body.id)).status).toBe(200);
    expect(await listRequests(browser)).toEqual([]);
    expect(await moveNotifications(browser)).toMatchObject([{ requiresAction: false }]);
    expect(await readPortalLesson(ruth, seat)).toMatchObject({
      mayAskToMove: true,
      moveRequest: null,
    });
    expect((await decline(browser, body.id)).error.message).toBe(
      'The family has withdrawn this request.',
    );
    expect((await ask(ruth, seat)).status).toBe(201);
  });

  test('declines the times that the tutor suggested, and the tutor is notified', async () => {
    const { browser, ruth, seat } = await createSignedInFamily(app);
    const { body } = await ask(ruth, seat);
    await suggest(browser, body.id);
    await withdraw(ruth, body.id);
    const [notification] = await moveNotifications(browser);
    expect(notification?.text).toBe(
      "Ruth declined the times you suggested. Leo's lesson stays on Wed 18 Nov, 4pm.",
    );
  });
});

describe('the notice for cancelling', () => {
  const cancel = ({ browser, publicId }: PortalPerson, seat: object, fee: number) =>
    browser.call(portal.cancelPortalLessons, {
      params: { publicId },
      body: { lessons: [{ ...(seat as { sessionId: number; studentId: number }), fee }] },
    });

  test('is measured from the request while it is waiting for an answer', async () => {
    const { browser, ruth, seat } = await createSignedInFamily(app);
    await ask(ruth, seat);
    app.clock.advance({ hours: 51 });
    expect((await readPortalLesson(ruth, seat))?.cancellation).toMatchObject({
      fee: 0,
      freeUntil: null,
      increase: null,
    });
    const { body: proposal } = await browser.call(sessions.cancellationProposal, {
      params: { id: seat.sessionId },
      query: { cancelledBy: 'carer' },
    });
    expect(proposal).toMatchObject({ fee: null, reason: "2 days' notice: no charge" });
    expect((await cancel(ruth, seat, 0)).body).toEqual({ cancelled: 1 });
    expect(await readSession(browser, seat.sessionId)).toMatchObject({
      status: 'cancelled',
      charged: null,
    });
    expect(await listRequests(browser)).toEqual([]);
  });

  test('is measured from a late request too, but not once it is withdrawn', async () => {
    const { ruth, seat } = await createSignedInFamily(app);
    // 20 hours before the lesson: half of the fee.
    app.clock.advance({ hours: 32 });
    const { body } = await ask(ruth, seat);
    app.clock.advance({ hours: 10 });
    expect((await readPortalLesson(ruth, seat))?.cancellation).toMatchObject({
      fee: 1425,
      increase: null,
    });
    await withdraw(ruth, body.id);
    expect((await readPortalLesson(ruth, seat))?.cancellation?.fee).toBe(2850);
    expect((await cancel(ruth, seat, 1425)).error.code).toBe('fee_changed');
  });

  test('is measured from the request for a day after the tutor has declined it', async () => {
    const { browser, ruth, seat } = await createSignedInFamily(app);
    const { body } = await ask(ruth, seat);
    app.clock.advance({ hours: 26 });
    await decline(browser, body.id);
    // Declined on Tuesday at 14:00.
    const until = '2026-11-18T14:00:00.000Z';
    expect((await readPortalLesson(ruth, seat))?.cancellation).toMatchObject({
      fee: 0,
      freeUntil: until,
      increase: { at: until, fee: 2850 },
    });
    app.clock.advance({ hours: 24 });
    expect((await readPortalLesson(ruth, seat))?.cancellation?.fee).toBe(0);
    app.clock.advance({ seconds: 1 });
    expect((await readPortalLesson(ruth, seat))?.cancellation).toMatchObject({
      fee: 2850,
      freeUntil: '2026-11-17T16:00:00.000Z',
      increase: null,
    });
    expect((await cancel(ruth, seat, 2850)).status).toBe(200);
    expect((await readSession(browser, seat.sessionId)).charged).toBe(2850);
  });
});

describe('another person', () => {
  test('sees that a request is pending, but neither its text nor the buttons', async () => {
    const { browser, ruth, seat, leo } = await createSignedInFamily(app);
    const email = `paul-${leo.id}-${seat.sessionId}@families.example`;
    await addSecondContact(browser, leo.id, {
      email,
      access: { seesLessons: true, mayRequestMoves: true },
    });
    const paul = await signInPerson(app, email);
    const { body } = await ask(ruth, seat, { message: 'Custody hearing' });
    await suggest(browser, body.id, [SATURDAY], 'For the hearing');
    const seen = await readPortalLesson(paul, seat);
    expect(seen?.moveRequest).toEqual({
      id: body.id,
      status: 'suggested',
      choices: [FRIDAY, SATURDAY],
      suggestions: [SATURDAY],
      answer: '',
      isOwn: false,
    });
    expect(JSON.stringify(seen)).not.toMatch(/hearing/i);
    expect((await readPortalLesson(ruth, seat))?.moveRequest?.answer).toBe('For the hearing');
    expect((await withdraw(paul, body.id)).status).toBe(404);
    expect((await ask(paul, seat)).status).toBe(409);
  });

  test('from another family who takes over the seat does not see the request', async () => {
    const { browser, fixture, ruth, seat, own, sam, tomEmail } = await createSignedInFamily(app);
    await ask(ruth, seat);
    const changed = await browser.call(lessonEndpoints.updateLesson, {
      params: { id: own.lessonId },
      body: {
        ...lessonBody(fixture, { studentId: sam.id, date: '2026-11-18' }),
        scope: 'all',
        sessionId: own.sessionId,
      },
    });
    expect(changed.status).toBe(200);
    const tom = await signInPerson(app, tomEmail);
    const taken = await readPortalLesson(tom, { ...seat, studentId: sam.id });
    expect(taken).toMatchObject({ mayAskToMove: true, moveRequest: null });
    expect(await listRequests(browser)).toEqual([]);
  });
});
