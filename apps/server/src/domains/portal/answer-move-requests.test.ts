import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import {
  accept,
  acceptSuggestion,
  ask,
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
import { waitUntilQueueIdle } from '../../test/wait-for-queue-and-control-retries.ts';
import { closeStartedRequests } from './service/expire-move-requests.ts';

/* The test clock starts on Monday 16 November 2026, at noon. Leo's lesson is on Wednesday at 16:00. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

/** A family whose request is waiting for an answer. */
async function createRequest() {
  const family = await createSignedInFamily(app);
  const { body } = await ask(family.ruth, family.seat);
  return { ...family, id: body.id };
}

const emailsTo = async (address: string) => {
  await waitUntilQueueIdle(app.admin);
  return app.mailbox
    .emails()
    .filter(({ to, subject }) => to.includes(address) && !/family portal/.test(subject));
};

const statusOf = async ({ publicId }: PortalPerson, id: number): Promise<string> => {
  const { rows } = await app.admin.query<{ status: string }>(
    `select status from move_requests
     where id = $1 and tutor_id = (select tutor_id from contacts where public_id = $2)`,
    [id, publicId],
  );
  return rows[0]?.status ?? '';
};

const movedTo = async (browser: Browser, sessionId: number) => {
  const { status, rescheduledTo } = await readSession(browser, sessionId);
  return [status, rescheduledTo?.date, rescheduledTo?.startTime];
};

describe('accepting', () => {
  test('moves the lesson, and the family is sent the usual notice once', async () => {
    const { browser, ruth, ruthEmail, seat, id } = await createRequest();
    const { status, body } = await accept(browser, id);
    expect(status).toBe(200);
    expect(await readSession(browser, body.sessionId)).toMatchObject({
      status: 'scheduled',
      date: '2026-11-20',
      startTime: '17:00',
      endTime: '18:00',
    });
    expect((await readSession(browser, seat.sessionId)).status).toBe('rescheduled');
    expect(await readPortalLesson(ruth, { ...seat, sessionId: body.sessionId })).toMatchObject({
      mayAskToMove: true,
      moveRequest: null,
    });
    const emails = await emailsTo(ruthEmail);
    expect(emails.map(({ subject }) => subject)).toEqual(['Lesson moved: Leo to Fri 20 Nov, 5pm']);
    expect(emails[0]?.text).toContain(
      'on Wednesday 18 November at 4pm is now on Friday 20 November, 5pm to 6pm',
    );
    const { body: pending } = await browser.call(messages.pendingNotices, { query: {} });
    expect(pending).toEqual([]);
    expect((await moveNotifications(browser))[0]?.requiresAction).toBe(false);
    expect(await listRequests(browser)).toEqual([]);
  });

  test('emails the person who asked if the notice goes to someone else', async () => {
    const { browser, leo, seat, ruthEmail } = await createSignedInFamily(app);
    const email = `paul.asks.${seat.sessionId}@families.example`;
    await addSecondContact(browser, leo.id, {
      email,
      access: { seesLessons: true, mayRequestMoves: true },
    });
    const paul = await signInPerson(app, email);
    const { body } = await ask(paul, seat);
    await accept(browser, body.id);
    const [answer, ...others] = await emailsTo(email);
    expect(others).toEqual([]);
    expect(answer?.subject).toBe('Lesson moved to Fri 20 Nov, 5pm');
    expect(answer?.text).toContain(
      "As you asked, Leo's lesson on Wed 18 Nov, 4pm has been moved to Fri 20 Nov, 5pm.",
    );
    expect(await emailsTo(ruthEmail)).toHaveLength(1);
  });

  test('reports overlaps as any change does, and allows them if the tutor accepts them', async () => {
    const { browser, fixture, maya, seat, id } = await createRequest();
    await addLesson(fixture, { studentId: maya.id, ...FRIDAY, endTime: '18:00' });
    const refused = await accept(browser, id);
    expect([refused.status, refused.error.code]).toEqual([409, 'overlap']);
    expect(refused.error.overlaps).toHaveLength(1);
    expect((await readSession(browser, seat.sessionId)).status).toBe('scheduled');
    expect(await listRequests(browser)).toHaveLength(1);
    expect((await accept(browser, id, { ...FRIDAY, acceptOverlaps: true })).status).toBe(200);
  });

  test('is possible only for a time that the family asked for and that has not passed', async () => {
    const { browser, fixture, ruth, leo } = await createRequest();
    expect((await accept(browser, 1, { ...FRIDAY, startTime: '17:30' })).status).toBe(400);
    expect((await accept(browser, 99)).status).toBe(404);
    const later = await addLesson(fixture, { studentId: leo.id, date: '2026-11-25' });
    const { body } = await ask(ruth, { sessionId: later.sessionId, studentId: leo.id });
    app.clock.advance({ days: 5 });
    expect((await accept(browser, body.id)).status).toBe(409);
    const [request] = await listRequests(browser);
    expect(request?.choices.map(({ isPast }) => isPast)).toEqual([true, false]);
  });

  test('moves the lesson even if the tutor cannot send emails', async () => {
    const { browser, id } = await createRequest();
    await app.admin.query(`update login_directory set email_verified_at = null`);
    expect((await accept(browser, id)).status).toBe(200);
    const { body: pending } = await browser.call(messages.pendingNotices, { query: {} });
    expect(pending).toHaveLength(1);
  });

  test('sends nothing to a person whose access has ended', async () => {
    const { browser, ruthEmail, contacts, id } = await createRequest();
    await browser.call(portalSettings.suspendContact, {
      params: { id: contacts.ruth },
      body: { isSuspended: true },
    });
    await decline(browser, id, 'Sorry');
    expect(await emailsTo(ruthEmail)).toEqual([]);
  });
});

describe('suggesting other times', () => {
  test('emails the times to the family with a link, and the family can accept one', async () => {
    const { browser, ruth, ruthEmail, seat, id } = await createRequest();
    const sunday = { date: '2026-11-22', startTime: '10:00' };
    expect((await suggest(browser, id, [SATURDAY, sunday], 'I am away on Friday.')).status).toBe(
      200,
    );
    expect((await moveNotifications(browser))[0]?.requiresAction).toBe(false);
    expect(await listRequests(browser)).toMatchObject([
      { status: 'suggested', suggestions: [SATURDAY, sunday] },
    ]);
    const [email] = await emailsTo(ruthEmail);
    expect(email?.subject).toBe("Other times for Leo's lesson on Wed 18 Nov, 4pm");
    expect(email?.text).toContain('Sat 21 Nov, 12:30pm\nSun 22 Nov, 10am');
    expect(email?.text).toContain('I am away on Friday.');
    expect(email?.text.match(/https?:\/\/\S+\/family\b\S*/g)).toEqual([
      `${app.context.config.origin}/family`,
    ]);
    expect((await readPortalLesson(ruth, seat))?.moveRequest).toMatchObject({
      status: 'suggested',
      suggestions: [SATURDAY, sunday],
      answer: 'I am away on Friday.',
    });
    expect((await acceptSuggestion(ruth, id, FRIDAY)).status).toBe(400);
    expect((await acceptSuggestion(ruth, id, sunday)).status).toBe(200);
    expect(await movedTo(browser, seat.sessionId)).toEqual(['rescheduled', '2026-11-22', '10:00']);
    const [notification] = await moveNotifications(browser);
    expect(notification).toMatchObject({
      text: "Ruth accepted your suggestion: Leo's lesson has been moved from Wed 18 Nov, 4pm to Sun 22 Nov, 10am.",
      requiresAction: false,
    });
    expect((await emailsTo(ruthEmail)).map(({ subject }) => subject).slice(1)).toEqual([
      'Lesson moved: Leo to Sun 22 Nov, 10am',
    ]);
    expect((await acceptSuggestion(ruth, id, sunday)).status).toBe(409);
  });

  test('does not move the lesson to a time that is no longer free, and the error names no one', async () => {
    const { browser, fixture, ruth, seat, sam, id } = await createRequest();
    await suggest(browser, id, [FRIDAY, SATURDAY]);
    await addLesson(fixture, {
      studentId: sam.id,
      title: 'Sam secret',
      ...FRIDAY,
      endTime: '18:00',
    });
    await browser.call(timeOff.createTimeOff, {
      body: { fromDate: SATURDAY.date, toDate: SATURDAY.date, reason: 'Away' },
    });
    for (const start of [FRIDAY, SATURDAY]) {
      const refused = await acceptSuggestion(ruth, id, start);
      expect([refused.status, refused.error.code]).toEqual([409, 'conflict']);
      expect(JSON.stringify(refused.error)).not.toMatch(/Sam|secret|Away/);
      expect(refused.error.message).toContain('no longer free');
    }
    expect((await readSession(browser, seat.sessionId)).status).toBe('scheduled');
    expect((await readPortalLesson(ruth, seat))?.moveRequest?.status).toBe('suggested');
  });

  test('only one of ten concurrent requests to accept or decline succeeds', async () => {
    const { browser, ruth, seat, id } = await createRequest();
    await suggest(browser, id, [FRIDAY, SATURDAY]);
    const presses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index === 5
          ? decline(browser, id)
          : acceptSuggestion(ruth, id, index % 2 ? FRIDAY : SATURDAY),
      ),
    );
    expect(presses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    const outcome = await statusOf(ruth, id);
    expect((await readSession(browser, seat.sessionId)).status).toBe(
      outcome === 'accepted' ? 'rescheduled' : 'scheduled',
    );
  });

  test('shows both local times to a person in another time zone', async () => {
    const { browser, ruthEmail, contacts, id } = await createRequest();
    await app.admin.query(
      `update contacts set time_zone = 'Asia/Dubai' where id = $1 and lower(email) = $2`,
      [contacts.ruth, ruthEmail],
    );
    await suggest(browser, id, [FRIDAY]);
    const [email] = await emailsTo(ruthEmail);
    expect(email?.text).toContain('Fri 20 Nov, 5pm London time (9pm your time)');
  });

  test('is possible only once, and only for times in the future', async () => {
    const { browser, id } = await createRequest();
    const past = { date: '2026-11-16', startTime: '09:00' };
    expect((await suggest(browser, id, [past])).status).toBe(409);
    expect((await suggest(browser, id, [{ date: '2026-11-18', startTime: '16:00' }])).status).toBe(
      400,
    );
    expect((await suggest(browser, id)).status).toBe(200);
    expect((await suggest(browser, id)).status).toBe(409);
  });
});

describe('declining', () => {
  test("leaves the lesson as it is and emails the tutor's message to the family", async () => {
    const { browser, ruth, ruthEmail, seat, id } = await createRequest();
    expect((await decline(browser, id, 'That week is full.')).status).toBe(200);
    const [email] = await emailsTo(ruthEmail);
    expect(email?.subject).toBe("Leo's lesson on Wed 18 Nov, 4pm stays as it is");
    expect(email?.text).toContain('That week is full.');
    expect(await readPortalLesson(ruth, seat)).toMatchObject({
      state: 'scheduled',
      mayAskToMove: true,
      moveRequest: { status: 'declined', answer: 'That week is full.' },
    });
    expect((await ask(ruth, seat)).status).toBe(201);
    expect((await readPortalLesson(ruth, seat))?.moveRequest?.status).toBe('open');
  });
});

test('exactly one of twenty concurrent answers succeeds', async () => {
  for (const round of [1, 2, 3]) {
    const { browser, ruth, ruthEmail, id } = await createRequest();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        if (index % 4 === 0) return accept(browser, id);
        if (index % 4 === 1) return decline(browser, id);
        if (index % 4 === 2) return withdraw(ruth, id);
        return accept(browser, id, SATURDAY);
      }),
    );
    const outcome = await statusOf(ruth, id);
    // A withdrawal may be repeated.
    const isRepeatable = outcome === 'withdrawn';
    const successes = replies.filter(({ status }) => status === 200).length;
    expect(successes, `round ${round}: ${outcome}`).toBe(isRepeatable ? 5 : 1);
    expect(replies.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(
      Array.from({ length: 20 - successes }, () => 409),
    );
    expect(await emailsTo(ruthEmail)).toHaveLength(isRepeatable ? 0 : 1);
  }
});

describe('when the lesson starts', () => {
  test('the request is closed, and both sides are notified once however often the job runs', async () => {
    const { browser, ruth, ruthEmail, id } = await createRequest();
    app.clock.advance({ hours: 51, minutes: 59 });
    await closeStartedRequests(app.context);
    expect(await listRequests(browser)).toHaveLength(1);
    app.clock.advance({ minutes: 1 });
    // Before the job has run, the request can no longer be answered.
    expect((await accept(browser, id)).status).toBe(409);
    expect((await decline(browser, id)).status).toBe(409);
    await Promise.all([1, 2, 3].map(() => closeStartedRequests(app.context)));
    await closeStartedRequests(app.context);
    expect(await statusOf(ruth, id)).toBe('closed');
    expect((await moveNotifications(browser)).map(({ text }) => text)).toEqual([
      "The request to move Leo's lesson on Wed 18 Nov, 4pm is closed because the lesson has started.",
      expect.stringContaining('Ruth has asked to move'),
    ]);
    const { body } = await browser.call(notifications.listNotifications, { query: {} });
    expect(body.open.filter(({ kind }) => kind === 'move_requested')).toEqual([]);
    expect((await emailsTo(ruthEmail)).map(({ subject }) => subject)).toEqual([
      "Your request to move Leo's lesson is closed",
    ]);
    const { rows } = await app.admin.query(
      `select 1 from tenant_schedule where kind = 'move-requests'
         and tutor_id = (select tutor_id from contacts where public_id = $1)`,
      [ruth.publicId],
    );
    expect(rows).toEqual([]);
  });

  test('the job leaves requests to move later lessons open until those lessons start', async () => {
    const { browser, fixture, ruth, leo } = await createRequest();
    const later = await addLesson(fixture, { studentId: leo.id, date: '2026-11-25' });
    await ask(
      ruth,
      { sessionId: later.sessionId, studentId: leo.id },
      { choices: [{ date: '2026-11-26', startTime: '10:00' }] },
    );
    app.clock.advance({ hours: 53 });
    await closeStartedRequests(app.context);
    expect((await listRequests(browser)).map(({ sessionId }) => sessionId)).toEqual([
      later.sessionId,
    ]);
    app.clock.advance({ days: 7 });
    await closeStartedRequests(app.context);
    expect(await listRequests(browser)).toEqual([]);
  });
});

describe('a request is closed if its lesson', () => {
  const changes: Record<string, (family: Awaited<ReturnType<typeof createRequest>>) => unknown> = {
    'is moved': ({ browser, seat }) =>
      browser.call(sessions.rescheduleSession, {
        params: { id: seat.sessionId },
        body: { date: '2026-11-19', startTime: '16:00', endTime: '17:00' },
      }),
    'is cancelled': ({ browser, seat }) =>
      browser.call(sessions.cancelSession, {
        params: { id: seat.sessionId },
        body: { cancelledBy: 'tutor' },
      }),
    'falls within time off': ({ browser, seat }) =>
      browser.call(timeOff.createTimeOff, {
        body: {
          fromDate: '2026-11-18',
          toDate: '2026-11-18',
          cancelSessionIds: [seat.sessionId],
        },
      }),
    'belongs to a student who is archived': ({ browser, leo }) =>
      browser.call(students.deleteStudent, { params: { id: leo.id } }),
  };

  test.each(Object.keys(changes))('%s', async (name) => {
    const family = await createRequest();
    const { browser, ruth, id } = family;
    await changes[name]?.(family);
    expect(await statusOf(ruth, id)).toBe('closed');
    expect(await listRequests(browser)).toEqual([]);
    expect((await moveNotifications(browser))[0]?.requiresAction).toBe(false);
    expect((await accept(browser, id)).status).toBe(409);
    expect([401, 404, 409]).toContain((await acceptSuggestion(ruth, id)).status);
  });
});

test('another tutor and another family cannot answer or read a request', async () => {
  const family = await createRequest();
  const other = await createSignedInFamily(app);
  const tom = await signInPerson(app, family.tomEmail);
  for (const answer of [
    accept(other.browser, family.id),
    decline(other.browser, family.id),
    suggest(other.browser, family.id),
  ])
    expect((await answer).status).toBe(404);
  expect(await listRequests(other.browser)).toEqual([]);
  for (const person of [tom, { ...other.ruth, publicId: family.ruth.publicId }]) {
    expect([401, 404]).toContain((await withdraw(person, family.id)).status);
    expect([401, 404]).toContain((await acceptSuggestion(person, family.id)).status);
    expect([401, 404]).toContain((await ask(person, family.seat)).status);
  }
  expect(await listRequests(family.browser)).toHaveLength(1);
});
