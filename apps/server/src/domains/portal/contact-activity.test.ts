import { cancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { groupLessons } from '@lessonbook/contract/group-lessons';
import { notifications } from '@lessonbook/contract/notifications';
import { portal } from '@lessonbook/contract/portal';
import { portalCancellations, portalSettings } from '@lessonbook/contract/portal-management';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import {
  addSecondContact,
  createPortalFixture,
  signInToPortal,
} from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/* The test clock starts on Monday 16 November 2026, at noon. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

type Seat = { sessionId: number; studentId: number; fee: number; usesFreeCancellation?: boolean };

/** Ruth is signed in. Cancelling costs 50% with less than 24 hours' notice. */
async function createFamily(freeLateCancellations = 0) {
  const family = await createPortalFixture(app);
  const { browser, contacts, ruthEmail } = family;
  await browser.call(portalSettings.closePortal);
  await browser.call(cancellationPolicy.updatePolicy, {
    body: { tiers: [{ noticeHours: 24, feePercent: 50 }], freeLateCancellations },
  });
  await browser.call(portalSettings.openPortal);
  const ruth = await signInToPortal(app, ruthEmail);
  const publicId = ruth.login.tutors[0]?.publicId as string;
  const cancel = async (
    lessons: Seat[],
    reason: { isIllness?: boolean; message?: string } = {},
  ) => {
    const body = { lessons, ...reason };
    const params = { publicId };
    const { status } = await ruth.browser.call(portal.cancelPortalLessons, { params, body });
    expect(status).toBe(200);
  };
  const readActivity = async () =>
    (await browser.call(portalSettings.contactActivity, { params: { id: contacts.ruth } })).body;
  return { ...family, cancel, readActivity };
}

test('the activity lists sign-ins and cancellations, newest first, without reasons', async () => {
  const { browser, contacts, ruthEmail, own, leo, cancel, readActivity } = await createFamily();
  app.clock.advance({ hours: 1 });
  const reason = { isIllness: true, message: 'A bad cold' };
  await cancel([{ sessionId: own.sessionId, studentId: leo.id, fee: 0 }], reason);
  app.clock.advance({ hours: 1 });
  await signInToPortal(app, ruthEmail);
  await browser.call(portalSettings.signOutContact, { params: { id: contacts.ruth } });
  const activity = await readActivity();
  expect(activity).toEqual([
    {
      kind: 'signed_in',
      at: expect.stringMatching(/^2026-11-16T14:00/),
      device: expect.any(String),
    },
    {
      kind: 'cancelled',
      at: expect.stringMatching(/^2026-11-16T13:00/),
      lessons: [
        {
          sessionId: own.sessionId,
          studentName: 'Leo',
          date: '2026-11-18',
          startTime: '16:00',
          fee: 0,
          currency: 'GBP',
          usesFreeCancellation: false,
        },
      ],
      isWaived: false,
    },
    {
      kind: 'signed_in',
      at: expect.stringMatching(/^2026-11-16T12:00/),
      device: expect.any(String),
    },
  ]);
  expect(JSON.stringify(activity)).not.toMatch(/llness|cold/);
});

test('a cancellation counts as waived once none of its lessons is charged', async () => {
  const { browser, group, maya, own, leo, cancel, readActivity } = await createFamily();
  app.clock.advance({ hours: 5 });
  await cancel([
    { sessionId: own.sessionId, studentId: leo.id, fee: 0 },
    { sessionId: group.sessionId, studentId: maya.id, fee: 1559 },
  ]);
  const charged = (await readActivity())[0];
  expect(charged).toMatchObject({
    kind: 'cancelled',
    lessons: [
      { sessionId: group.sessionId, studentName: 'Maya', date: '2026-11-17', fee: 1559 },
      { sessionId: own.sessionId, studentName: 'Leo', date: '2026-11-18', fee: 0 },
    ],
    isWaived: false,
  });
  const { body } = await browser.call(notifications.listNotifications, { query: {} });
  const open = body.open.find(({ kind }) => kind === 'lesson_cancelled');
  await browser.call(portalCancellations.waivePortalCancellation, {
    params: { id: Number(open?.targetId) },
  });
  expect((await readActivity())[0]).toEqual({ ...charged, isWaived: true });
});

test('the cancellation of a restored lesson counts as waived, even once the lesson is charged', async () => {
  const { browser, group, maya, cancel, readActivity } = await createFamily();
  app.clock.advance({ hours: 5 });
  await cancel([{ sessionId: group.sessionId, studentId: maya.id, fee: 1559 }]);
  const params = { id: group.sessionId, studentId: maya.id };
  await browser.call(groupLessons.restoreSeat, { params });
  app.clock.advance({ days: 1 });
  await browser.call(sessions.completeSessions, { body: { sessions: [{ id: group.sessionId }] } });
  const { body: session } = await browser.call(sessions.session, { params });
  expect(session.status).toBe('completed');
  expect((await readActivity())[0]).toMatchObject({ kind: 'cancelled', isWaived: true });
});

test('a lesson that is restored and cancelled again is listed only under the latest cancellation', async () => {
  const { browser, own, leo, cancel, readActivity } = await createFamily(1);
  await cancel([{ sessionId: own.sessionId, studentId: leo.id, fee: 0 }]);
  await browser.call(sessions.reopenSession, {
    params: { id: own.sessionId },
    body: { acceptOverlaps: false },
  });
  app.clock.advance({ hours: 29 });
  await cancel([
    { sessionId: own.sessionId, studentId: leo.id, fee: 0, usesFreeCancellation: true },
  ]);
  const activity = await readActivity();
  expect(activity.map(({ kind }) => kind)).toEqual(['cancelled', 'signed_in']);
  expect(activity[0]).toMatchObject({
    lessons: [{ fee: 0, usesFreeCancellation: true }],
    isWaived: false,
  });
});

test('the activity is limited to the last 50 entries', async () => {
  const { fixture, ruthEmail, maya, cancel, readActivity } = await createFamily();
  await app.admin.query(
    `insert into contact_logins (tutor_id, contact_id, login_id, user_agent, first_seen_at, last_seen_at)
     select tutor_id, contact_id, login_id || n, user_agent, first_seen_at - n * interval '1 day', last_seen_at
     from contact_logins l join contacts c using (tutor_id), generate_series(1, 60) as n
     where c.id = l.contact_id and c.email = $1`,
    [ruthEmail],
  );
  const date = '2026-11-20';
  const { sessionId } = await addLesson(fixture, { date });
  app.clock.advance({ hours: 1 });
  await cancel([{ sessionId, studentId: maya.id, fee: 0 }]);
  const activity = await readActivity();
  expect(activity).toHaveLength(50);
  expect(activity[0]).toMatchObject({ kind: 'cancelled', lessons: [{ date }] });
});

test('the activity shows nothing about another family, another tutor or an erased contact', async () => {
  const { browser, contacts, own, leo, ruthEmail, cancel } = await createFamily();
  await cancel([{ sessionId: own.sessionId, studentId: leo.id, fee: 0 }]);
  const call = (caller: Browser, id: number) =>
    caller.call(portalSettings.contactActivity, { params: { id } });
  expect((await call(browser, contacts.tom)).body).toEqual([]);
  expect((await call(app.browser(), contacts.ruth)).status).toBe(401);

  // The other tutor has a contact with Ruth's id, but none with Paul's id.
  const other = await createPortalFixture(app);
  const email = `paul-${ruthEmail}`;
  const paul = await addSecondContact(browser, leo.id, { email, access: { seesLessons: true } });
  expect(other.contacts.ruth).toBe(contacts.ruth);
  expect((await call(other.browser, other.contacts.ruth)).body).toEqual([]);
  expect((await call(browser, paul)).status).toBe(200);
  expect((await call(other.browser, paul)).status).toBe(404);

  await app.admin.query('update contacts set erased_at = now() where email = $1', [ruthEmail]);
  expect((await call(browser, contacts.ruth)).status).toBe(404);
});
