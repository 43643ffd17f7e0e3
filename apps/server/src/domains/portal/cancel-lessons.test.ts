import { cancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { families } from '@lessonbook/contract/families';
import { groupLessons } from '@lessonbook/contract/group-lessons';
import { invoices } from '@lessonbook/contract/invoices';
import { lessons as lessonEndpoints } from '@lessonbook/contract/lessons';
import { notifications } from '@lessonbook/contract/notifications';
import { type PortalCancelInput, portal } from '@lessonbook/contract/portal';
import { portalCancellations, portalSettings } from '@lessonbook/contract/portal-management';
import { sessions } from '@lessonbook/contract/sessions';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { cancellationFees } from '@lessonbook/contract/waive-cancellation-fee';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { addLesson, lessonBody } from '../../test/lesson-fixture.ts';
import {
  addSecondContact,
  createPortalFixture,
  NO_ACCESS,
  signInToPortal,
} from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { purgeExpiredRecords } from '../privacy/service/retention-purge.ts';

/* The test clock starts on Monday 16 November 2026, at noon. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

type Person = { browser: Browser; publicId: string };

/** Ruth is signed in. Cancelling costs 50% with less than 24 hours' notice and 100% with less than 12. */
async function createFamily(policy: { freeLateCancellations?: number } = {}) {
  const family = await createPortalFixture(app);
  await family.browser.call(portalSettings.closePortal);
  await family.browser.call(cancellationPolicy.updatePolicy, {
    body: {
      tiers: [
        { noticeHours: 24, feePercent: 50 },
        { noticeHours: 12, feePercent: 100 },
      ],
      illnessNote: 'Let me know by 9am.',
      ...policy,
    },
  });
  await family.browser.call(portalSettings.openPortal);
  const ruth = await signIn(family.ruthEmail);
  return { ...family, ruth };
}

async function signIn(email: string): Promise<Person> {
  const { browser, login } = await signInToPortal(app, email);
  return { browser, publicId: login.tutors[0]?.publicId as string };
}

const readLessons = async ({ browser, publicId }: Person) =>
  (await browser.call(portal.portalLessons, { params: { publicId } })).body;

const cancel = (
  { browser, publicId }: Person,
  lessons: { sessionId: number; studentId: number; fee: number; usesFreeCancellation?: boolean }[],
  overrides: Partial<PortalCancelInput> = {},
) =>
  browser.call(portal.cancelPortalLessons, {
    params: { publicId },
    body: { lessons, ...overrides },
  });

const readSession = async (browser: Browser, id: number) =>
  (await browser.call(sessions.session, { params: { id } })).body;

const openNotifications = async (browser: Browser) =>
  (await browser.call(notifications.listNotifications, { query: {} })).body.open.filter(
    ({ kind }) => kind === 'lesson_cancelled',
  );

const balances = async (browser: Browser, name: string) => {
  const { body } = await browser.call(families.listFamilies, { query: {} });
  return body.find((family) => family.name.includes(name))?.balances;
};

describe('cancelling in the portal', () => {
  test('is free until the cut-off, and the tutor is notified', async () => {
    const { browser, ruth, own, leo } = await createFamily();
    const lesson = (await readLessons(ruth)).lessons.find(({ studentId }) => studentId === leo.id);
    expect(lesson?.cancellation).toEqual({
      fee: 0,
      currency: 'GBP',
      freeUntil: '2026-11-17T16:00:00.000Z',
      increase: { at: '2026-11-17T16:00:00.000Z', fee: 1425 },
      termStart: '2026-09-01',
      freeCancellationsLeft: 0,
      isAllowed: true,
    });
    const response = await cancel(ruth, [{ sessionId: own.sessionId, studentId: leo.id, fee: 0 }], {
      message: 'School concert',
    });
    expect(response.body).toEqual({ cancelled: 1 });
    expect(await readSession(browser, own.sessionId)).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'carer',
      cancelReason: 'School concert',
      charged: null,
    });
    const { body } = await browser.call(notifications.listNotifications, { query: {} });
    expect(body.notifications[0]).toMatchObject({
      kind: 'lesson_cancelled',
      text: "Ruth cancelled Leo's lesson on Wed 18 Nov, 4pm. No charge.",
      path: `/sessions/${own.sessionId}`,
      requiresAction: false,
    });
    expect((await readLessons(ruth)).lessons.map(({ state }) => state)).toContain('cancelled');
  });

  test('after the cut-off costs the fee shown on the page, and "Don\'t charge" removes the fee', async () => {
    const { browser, ruth, own, leo } = await createFamily();
    app.clock.advance({ hours: 29 });
    const lesson = (await readLessons(ruth)).lessons.find(({ studentId }) => studentId === leo.id);
    expect(lesson?.cancellation).toMatchObject({
      fee: 1425,
      increase: { at: '2026-11-18T04:00:00.000Z', fee: 2850 },
    });
    await cancel(ruth, [{ sessionId: own.sessionId, studentId: leo.id, fee: 1425 }]);
    expect((await readSession(browser, own.sessionId)).charged).toBe(1425);
    const [open] = await openNotifications(browser);
    expect(open?.text).toBe(
      "Ruth cancelled Leo's lesson on Wed 18 Nov, 4pm. Cancellation fee: £14.25.",
    );
    const params = { id: open?.targetId as number };
    const waive = () => browser.call(portalCancellations.waivePortalCancellation, { params });
    const stranger = await createPortalFixture(app);
    const foreign = await stranger.browser.call(portalCancellations.waivePortalCancellation, {
      params,
    });
    expect(foreign.status).toBe(404);
    expect((await waive()).body).toEqual({ waived: 1 });
    expect((await waive()).body).toEqual({ waived: 0 });
    expect((await readSession(browser, own.sessionId)).charged).toBeNull();
    expect(await openNotifications(browser)).toEqual([]);
    expect(await balances(browser, 'Ruth')).toEqual([]);
  });

  test("in a group cancels only for the family's own child, and the last cancellation cancels the lesson", async () => {
    const { browser, ruth, group, maya, sam, tomEmail } = await createFamily();
    await cancel(ruth, [{ sessionId: group.sessionId, studentId: maya.id, fee: 0 }]);
    const after = await readSession(browser, group.sessionId);
    expect(after.status).toBe('scheduled');
    expect(after.students.map(({ name, state }) => [name, state])).toEqual([
      ['Maya Hale', 'cancelled'],
      ['Sam Okafor', 'expected'],
    ]);
    const tom = await signIn(tomEmail);
    await cancel(tom, [{ sessionId: group.sessionId, studentId: sam.id, fee: 0 }]);
    expect((await readSession(browser, group.sessionId)).status).toBe('cancelled');
  });

  test('cancels nothing if a fee has changed, until the family agrees to the new fee', async () => {
    const { browser, ruth, own, leo, group, maya } = await createFamily();
    app.clock.advance({ hours: 20 });
    const lessons = [
      { sessionId: own.sessionId, studentId: leo.id, fee: 0 },
      { sessionId: group.sessionId, studentId: maya.id, fee: 0 },
    ];
    const response = await cancel(ruth, lessons);
    expect([response.status, response.error.code]).toEqual([409, 'fee_changed']);
    expect((await readSession(browser, own.sessionId)).status).toBe('scheduled');
    const agreed = lessons.map((lesson) =>
      lesson.studentId === maya.id ? { ...lesson, fee: 3117 } : lesson,
    );
    // 8 hours before the lesson in the group.
    expect((await cancel(ruth, agreed)).body).toEqual({ cancelled: 2 });
    const [open] = await openNotifications(browser);
    expect(open?.text).toBe(
      'Ruth cancelled 2 lessons for Maya and Leo, the first on Tue 17 Nov, 4pm. Cancellation fee: £31.17.',
    );
  });

  test('a lesson that has begun, has been cancelled or is listed twice cannot be cancelled', async () => {
    const { ruth, own, leo, group, maya } = await createFamily();
    const lesson = { sessionId: own.sessionId, studentId: leo.id, fee: 0 };
    expect((await cancel(ruth, [lesson, lesson])).status).toBe(400);
    expect((await cancel(ruth, [lesson])).status).toBe(200);
    expect((await cancel(ruth, [lesson])).status).toBe(409);
    app.clock.advance({ hours: 28 });
    const begun = { sessionId: group.sessionId, studentId: maya.id, fee: 3117 };
    expect((await cancel(ruth, [begun])).status).toBe(409);
  });

  test('a lesson that was cancelled and restored can be given to another student', async () => {
    const { browser, fixture, ruth, own, leo, maya } = await createFamily();
    await cancel(ruth, [{ sessionId: own.sessionId, studentId: leo.id, fee: 0 }]);
    await browser.call(sessions.reopenSession, { params: { id: own.sessionId }, body: {} });
    const changed = await browser.call(lessonEndpoints.updateLesson, {
      params: { id: own.lessonId },
      body: {
        ...lessonBody(fixture, { studentId: maya.id, date: '2026-11-18' }),
        scope: 'all',
        sessionId: own.sessionId,
      },
    });
    expect(changed.status).toBe(200);
    expect((await readSession(browser, own.sessionId)).studentId).toBe(maya.id);
  });

  test('a repeated request cancels once, and idempotency keys are separate for each person', async () => {
    const { browser, ruth, own, leo, group, sam, tomEmail } = await createFamily();
    app.clock.advance({ hours: 29 });
    const send = ({ browser: by, publicId }: Person, lesson: object) =>
      by.send(
        'POST',
        `/api/portal/tutors/${publicId}/cancellations`,
        { lessons: [lesson] },
        {
          'idempotency-key': 'same-key-for-both',
        },
      );
    const leoLesson = { sessionId: own.sessionId, studentId: leo.id, fee: 1425 };
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(ruth, leoLesson)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await readSession(browser, own.sessionId)).charged).toBe(1425);
    expect(await openNotifications(browser)).toHaveLength(1);
    await app.restartClock();
    const tom = await signIn(tomEmail);
    const samLesson = { sessionId: group.sessionId, studentId: sam.id, fee: 0 };
    expect((await send(tom, samLesson)).status).toBe(200);
  });
});

describe('free late cancellations', () => {
  test('are counted for each student and term, and can be used again once the lesson is restored', async () => {
    const { browser, fixture, ruth, own, leo } = await createFamily({ freeLateCancellations: 1 });
    const second = await addLesson(fixture, {
      studentId: leo.id,
      date: '2026-11-18',
      startTime: '18:00',
      endTime: '19:00',
      fee: 20,
    });
    app.clock.advance({ hours: 42 });
    const free = (sessionId: number) => [
      { sessionId, studentId: leo.id, fee: 0, usesFreeCancellation: true },
    ];
    const both = [...free(own.sessionId), ...free(second.sessionId)];
    expect((await cancel(ruth, both)).error.code).toBe('fee_changed');
    expect((await cancel(ruth, free(own.sessionId), { isIllness: true })).status).toBe(400);
    expect((await cancel(ruth, free(own.sessionId))).status).toBe(200);
    expect((await readSession(browser, own.sessionId)).charged).toBeNull();
    const readFreeCancellationsLeft = async () =>
      (await readLessons(ruth)).lessons.find(({ sessionId }) => sessionId === second.sessionId)
        ?.cancellation?.freeCancellationsLeft;
    expect(await readFreeCancellationsLeft()).toBe(0);
    expect((await cancel(ruth, free(second.sessionId))).error.code).toBe('fee_changed');
    await browser.call(sessions.reopenSession, {
      params: { id: own.sessionId },
      body: { acceptOverlaps: false },
    });
    expect(await readFreeCancellationsLeft()).toBe(1);
  });

  test('are not used up when cancelling is free anyway', async () => {
    const { ruth, own, leo } = await createFamily({ freeLateCancellations: 1 });
    const lesson = {
      sessionId: own.sessionId,
      studentId: leo.id,
      fee: 0,
      usesFreeCancellation: true,
    };
    expect((await cancel(ruth, [lesson])).error.code).toBe('fee_changed');
  });
});

describe('illness', () => {
  test('is stored as the reason until the end of the term, and is never part of a notification', async () => {
    const { ruth, own, leo, group, maya } = await createFamily();
    expect((await readLessons(ruth)).illnessNote).toBe('Let me know by 9am.');
    await cancel(
      ruth,
      [
        { sessionId: own.sessionId, studentId: leo.id, fee: 0 },
        { sessionId: group.sessionId, studentId: maya.id, fee: 0 },
      ],
      { isIllness: true, message: 'A bad cold' },
    );
    const reasons = async () => {
      const { rows: found } = await app.admin.query<{ reason: string }>(
        `select cancel_reason as reason from sessions where cancel_reason like '%cold'
         union all select cancel_reason from session_students where cancel_reason like '%cold'`,
      );
      return found.map(({ reason }) => reason);
    };
    const { rows } = await app.admin.query<{ text: string }>(
      `select string_agg(text, ' ') as text from notifications`,
    );
    expect(rows[0]?.text).not.toMatch(/Illness|cold/);
    app.clock.advance({ days: 44 });
    await purgeExpiredRecords(app.context);
    expect(await reasons()).toEqual(['Illness: A bad cold', 'Illness: A bad cold']);
    app.clock.advance({ days: 8 });
    await purgeExpiredRecords(app.context);
    expect(await reasons()).toEqual([]);
  });
});

describe('who may cancel', () => {
  test('a second contact who does not pay can cancel only while it is free', async () => {
    const { browser, maya, group, ruthEmail } = await createFamily();
    const email = `paul-${ruthEmail}`;
    await addSecondContact(browser, maya.id, {
      email,
      access: { seesLessons: true, mayCancel: true },
    });
    const paul = await signIn(email);
    app.clock.advance({ hours: 5 });
    const [late] = (await readLessons(paul)).lessons;
    expect(late?.cancellation).toMatchObject({ fee: 1559, isAllowed: false });
    const lesson = { sessionId: group.sessionId, studentId: maya.id };
    expect((await cancel(paul, [{ ...lesson, fee: 1559 }])).status).toBe(403);
    await app.restartClock();
    expect((await cancel(paul, [{ ...lesson, fee: 0 }])).status).toBe(200);
  });

  test('removing access takes effect immediately, even in a browser that has the page open', async () => {
    const { browser, maya, group, ruthEmail } = await createFamily();
    const email = `paul-${ruthEmail}`;
    const access = { ...NO_ACCESS, seesLessons: true, mayCancel: true };
    const contactId = await addSecondContact(browser, maya.id, { email, access });
    const paul = await signIn(email);
    await browser.call(studentContacts.updateContact, {
      params: { id: maya.id, contactId },
      body: { name: 'Paul Hale', email, access: { ...access, mayCancel: false } },
    });
    const lesson = { sessionId: group.sessionId, studentId: maya.id, fee: 0 };
    expect((await cancel(paul, [lesson])).status).toBe(404);
    expect((await readSession(browser, group.sessionId)).students[0]?.state).toBe('expected');
  });
});

describe("the tutor's decision", () => {
  test('not to charge credits a fee that is already on an invoice', async () => {
    const { browser, ruth, own, leo } = await createFamily();
    app.clock.advance({ hours: 29 });
    await cancel(ruth, [{ sessionId: own.sessionId, studentId: leo.id, fee: 1425 }]);
    const { familyId } = await readSession(browser, own.sessionId);
    const { body: drafts } = await browser.call(invoices.draftInvoice, {
      body: { familyId: familyId as number, from: '2026-11-01', to: '2026-11-30' },
    });
    const id = drafts[0]?.id as number;
    await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
    const { body } = await browser.call(cancellationFees.waiveCancellationFee, {
      params: { id: own.sessionId },
    });
    expect(body).toMatchObject({ status: 'cancelled', charged: null });
    const { rows } = await app.admin.query(
      `select from invoices where kind = 'credit_note' and note = 'Cancellation fee waived'`,
    );
    expect(rows).toHaveLength(1);
    expect(await balances(browser, 'Ruth')).toEqual([]);
  });

  test('can be made for one student of a group', async () => {
    const { browser, ruth, group, maya } = await createFamily();
    app.clock.advance({ hours: 5 });
    await cancel(ruth, [{ sessionId: group.sessionId, studentId: maya.id, fee: 1559 }]);
    expect((await readSession(browser, group.sessionId)).charged).toBe(1559);
    await browser.call(cancellationFees.waiveCancellationFee, { params: { id: group.sessionId } });
    expect((await readSession(browser, group.sessionId)).charged).toBeNull();
    await browser.call(groupLessons.restoreSeat, {
      params: { id: group.sessionId, studentId: maya.id },
    });
    expect((await readSession(browser, group.sessionId)).status).toBe('scheduled');
  });
});

describe('cancellations in the second around the cut-off', () => {
  test.each([
    [200, 'an ordinary evening', '2026-11-19', '2026-11-18T18:00:00Z', '18:00'],
    // 01:30 does not exist on 28 March, and occurs twice on 31 October.
    [60, 'the night when clocks go forward', '2027-03-29', '2027-03-28T01:30:00Z', '01:30'],
    [60, 'the night when clocks go back', '2027-11-01', '2027-10-31T00:30:00Z', '01:30'],
  ])(
    '%d of them on %s are either charged exactly the agreed fee or rejected',
    async (count, _night, date, cutOff, dayBeforeTime) => {
      const family = await createPortalFixture(app);
      await family.browser.call(portalSettings.closePortal);
      await family.browser.call(cancellationPolicy.updatePolicy, {
        body: { tiers: [{ dayBeforeTime, feePercent: 50 }] },
      });
      await family.browser.call(portalSettings.openPortal);
      const ids: number[] = [];
      for (let index = 0; index < count; index++) {
        const minutes = 7 * 60 + index * 5;
        const format = (value: number) =>
          `${String(Math.floor(value / 60) % 24).padStart(2, '0')}:${String(value % 60).padStart(2, '0')}`;
        const { sessionId } = await addLesson(family.fixture, {
          date,
          startTime: format(minutes),
          endTime: format(minutes + 5),
          fee: 10,
        });
        ids.push(sessionId);
      }
      app.clock.set(cutOff);
      app.clock.advance({ minutes: -1 });
      const ruth = await signIn(family.ruthEmail);
      app.clock.set(cutOff);
      app.clock.advance({ seconds: -0.5 });
      const outcomes: { id: number; agreed: number; status: number }[] = [];
      const queue = [...ids];
      const work = async () => {
        for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
          const agreed = id % 2 === 0 ? 0 : 500;
          const { status } = await cancel(ruth, [
            { sessionId: id, studentId: family.maya.id, fee: agreed },
          ]);
          outcomes.push({ id, agreed, status });
          app.clock.advance({ seconds: 1 / count });
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
      const { rows } = await app.admin.query<{ id: number; state: string; charged: number }>(
        `select s.id, s.status as state, coalesce((
           select sum(c.amount)::int from charges c where c.tutor_id = s.tutor_id and c.session_id = s.id), 0) as charged
         from sessions s join contacts c on c.tutor_id = s.tutor_id where c.email = $1 and s.date = $2`,
        [family.ruthEmail, date],
      );
      for (const { id, agreed, status } of outcomes) {
        const row = rows.find((each) => each.id === id);
        expect([status, row?.state, row?.charged], `session ${id}`).toEqual(
          status === 200 ? [200, 'cancelled', agreed] : [409, 'scheduled', 0],
        );
      }
      const kinds = new Set(outcomes.map(({ agreed, status }) => `${agreed} ${status}`));
      expect(kinds).toEqual(new Set(['0 200', '0 409', '500 200', '500 409']));
    },
  );
});
