import { accounts } from '@lessonbook/contract/accounts';
import { portal } from '@lessonbook/contract/portal';
import { portalFeeds } from '@lessonbook/contract/portal-feed';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getFeedPath, parseIcs, pathOf, splitIcsLines } from '../../test/ics-reader.ts';
import { addLesson, weekly } from '../../test/lesson-fixture.ts';
import { createPortalFixture, signInToPortal } from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
beforeEach(() => app.restartClock());
afterAll(() => app.close());

/** Ruth, signed in, with her feed. */
async function createFeed() {
  const family = await createPortalFixture(app);
  const { browser: ruth, login } = await signInToPortal(app, family.ruthEmail);
  const params = { publicId: login.tutors[0]?.publicId as string };
  const create = async () =>
    pathOf((await ruth.call(portalFeeds.createPortalFeed, { params })).body.url as string);
  return { ...family, ruth, params, create, path: await create() };
}

/** Fetches the feed as a calendar app does, without a cookie. */
async function fetchFeed(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const readEvents = async (path: string) => parseIcs((await fetchFeed(path)).text).events;

describe('the address of the feed', () => {
  test('is shown again to the person, and to no one else', async () => {
    const { ruth, params, path, tomEmail } = await createFeed();
    expect(path).toMatch(/^\/api\/portal\/feeds\/c_[\w-]{38}\.ics$/);
    const shown = await ruth.call(portalFeeds.portalFeed, { params });
    expect(pathOf(shown.body.url as string)).toBe(path);
    const { browser: tom, login } = await signInToPortal(app, tomEmail);
    const own = { publicId: login.tutors[0]?.publicId as string };
    expect((await tom.call(portalFeeds.portalFeed, { params: own })).body).toEqual({ url: null });
    expect((await tom.call(portalFeeds.portalFeed, { params })).status).toBe(401);
    expect((await tom.call(portalFeeds.createPortalFeed, { params })).status).toBe(401);
    expect((await tom.call(portalFeeds.deletePortalFeed, { params })).status).toBe(401);
    expect((await fetchFeed(path)).status).toBe(200);
  });

  test('returns 404 as soon as it is replaced or deleted, and never works again', async () => {
    const { ruth, params, path, create } = await createFeed();
    const tag = (await fetchFeed(path)).headers.get('etag') ?? '';
    const second = await create();
    expect((await fetchFeed(path, { 'if-none-match': tag })).status).toBe(404);
    expect((await fetchFeed(second)).status).toBe(200);
    for (const _ of ['once', 'twice'])
      expect((await ruth.call(portalFeeds.deletePortalFeed, { params })).body).toEqual({
        url: null,
      });
    expect((await ruth.call(portalFeeds.portalFeed, { params })).body).toEqual({ url: null });
    expect((await fetchFeed(second)).status).toBe(404);
    const third = await create();
    const statuses = [];
    for (const each of [path, second, third]) statuses.push((await fetchFeed(each)).status);
    expect(statuses).toEqual([404, 404, 200]);
  });

  test('is the only valid one after concurrent replacements', async () => {
    const { create } = await createFeed();
    const paths = await Promise.all([create(), create(), create()]);
    const replies = await Promise.all(paths.map((each) => fetchFeed(each)));
    expect(replies.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '404', '404']);
  });

  test("is not accepted for the tutor's feed, and vice versa", async () => {
    const { browser, path } = await createFeed();
    const tutorPath = await getFeedPath(browser);
    const tokenOf = (each: string) => each.split('/').at(-1);
    for (const wrong of [
      `/api/calendar/feeds/${tokenOf(path)}`,
      `/api/portal/feeds/${tokenOf(tutorPath)}`,
      path.replace('/c_', '/f_'),
      `/api/portal/feeds/c_${'A'.repeat(38)}.ics`,
    ])
      expect((await fetchFeed(wrong)).status, wrong).toBe(404);
  });

  test('is rate limited per contact', async () => {
    const { path } = await createFeed();
    expect((await fetchFeed(path)).status).toBe(200);
    await app.admin.query(
      `update rate_limits set empty_at = '2026-11-16T13:00:00Z' where key like 'portal-feed:%'`,
    );
    expect((await fetchFeed(path)).status).toBe(429);
  });
});

type Family = Awaited<ReturnType<typeof createFeed>>;

const suspend = async ({ browser, contacts }: Family, isSuspended: boolean) => {
  const params = { id: contacts.ruth };
  await browser.call(portalSettings.suspendContact, { params, body: { isSuspended } });
};

describe('the next read returns 404, even with the ETag, after', () => {
  test.each<[string, (family: Family) => Promise<unknown>]>([
    ['the contact was suspended', (family) => suspend(family, true)],
    [
      'the tutor signed the contact out everywhere',
      ({ browser, contacts }) =>
        browser.call(portalSettings.signOutContact, { params: { id: contacts.ruth } }),
    ],
    ['the portal was closed', ({ browser }) => browser.call(portalSettings.closePortal)],
    [
      'the access to the lessons was removed',
      async (family) => {
        const ids = [family.contacts.ruth];
        await app.admin.query(
          'update contact_access set sees_lessons = false where contact_id = $1',
          ids,
        );
      },
    ],
    [
      'the contact was given a different email address',
      ({ contacts }) =>
        app.admin.query(
          `update contacts set email = 'other-' || email where id = $1 and email like 'ruth%'`,
          [contacts.ruth],
        ),
    ],
    [
      'the deletion of the account was requested',
      () => app.admin.query('update tutors set deletion_scheduled_at = now()'),
    ],
  ])('%s', async (_, change) => {
    const family = await createFeed();
    const { status, headers } = await fetchFeed(family.path);
    expect(status).toBe(200);
    const tag = headers.get('etag') ?? '';
    expect((await fetchFeed(family.path, { 'if-none-match': tag })).status).toBe(304);
    await change(family);
    expect((await fetchFeed(family.path, { 'if-none-match': tag })).status).toBe(404);
    expect((await fetchFeed(family.path)).status).toBe(404);
  });
});

describe('events', () => {
  test('contain the first name, subject and place, and nothing else about the lesson', async () => {
    const { path } = await createFeed();
    const { text, headers } = await fetchFeed(path);
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('set-cookie')).toBeNull();
    const { name, zones, events } = parseIcs(text);
    expect([name, zones]).toEqual(['Lessons with Ada Fenwick', ['Europe/London']]);
    expect(events).toMatchObject([
      { summary: 'Maya: Maths', location: '12 Canary Lane', status: 'CONFIRMED' },
      { summary: 'Leo: Maths', location: '7 Linden Road', status: 'CONFIRMED' },
    ]);
    expect(splitIcsLines(text)).toContain('CLASS:PRIVATE');
    const withoutIds = text.replaceAll('\r\n ', '').replaceAll(/^UID:.*$/gm, '');
    expect(withoutIds).not.toMatch(/Hale|Sam|Okafor|Year 11|31\.?17|42\.?29|28\.?5|URL:|example/);
  });

  test('leave out the place, or a student, when the tutor changes the access', async () => {
    const family = await createFeed();
    await app.admin.query(
      'update contact_access set sees_place = false where contact_id = $1 and student_id = $2',
      [family.contacts.ruth, family.maya.id],
    );
    expect((await readEvents(family.path)).map(({ location }) => location)).toEqual([
      null,
      '7 Linden Road',
    ]);
    // A Google Meet link is a place too.
    await app.admin.query(
      `update sessions set uses_google_meet = true, meet_link = 'https://meet.google.com/' || id
       where tutor_id = (select tutor_id from contacts where email = $1)`,
      [family.ruthEmail],
    );
    const params = { publicId: family.params.publicId };
    const { body } = await family.ruth.call(portal.portalLessons, { params });
    const places = body.lessons.map(({ place }) => place);
    expect(places).toEqual([null, expect.stringMatching(/^https:\/\/meet\.google\.com\/\d+$/)]);
    expect((await readEvents(family.path)).map(({ location }) => location)).toEqual(places);
    await app.admin.query(
      'update contact_access set sees_lessons = false where contact_id = $1 and student_id = $2',
      [family.contacts.ruth, family.maya.id],
    );
    expect((await readEvents(family.path)).map(({ summary }) => summary)).toEqual(['Leo: Maths']);
  });

  test('of siblings in one lesson have different UIDs', async () => {
    const { fixture, maya, leo, path } = await createFeed();
    const students = [{ studentId: maya.id }, { studentId: leo.id }];
    await addLesson(fixture, { date: '2026-11-20', students });
    const events = await readEvents(path);
    expect(events).toHaveLength(4);
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(4);
  });

  test('a cancelled lesson has the status CANCELLED, and a moved one keeps its UID', async () => {
    const { browser, group, own, path } = await createFeed();
    const [maya, leo] = await readEvents(path);
    const tag = (await fetchFeed(path)).headers.get('etag') ?? '';
    await browser.call(sessions.cancelSession, {
      params: { id: group.sessionId },
      body: { cancelledBy: 'tutor', reason: 'Canaryreason' },
    });
    await browser.call(sessions.rescheduleSession, {
      params: { id: own.sessionId },
      body: { date: '2026-11-19', startTime: '10:00', endTime: '11:00' },
    });
    const { status, text } = await fetchFeed(path, { 'if-none-match': tag });
    expect(status).toBe(200);
    expect(text).not.toContain('Canaryreason');
    const [cancelled, moved] = parseIcs(text).events;
    expect(cancelled).toMatchObject({ uid: maya?.uid, status: 'CANCELLED' });
    expect(moved).toMatchObject({ uid: leo?.uid, start: new Date('2026-11-19T10:00:00Z') });
    expect(cancelled?.sequence).toBeGreaterThan(maya?.sequence ?? 0);
    expect(moved?.sequence).toBeGreaterThan(leo?.sequence ?? 0);
  });

  test('a lesson that only this student has cancelled has the status CANCELLED', async () => {
    const { ruth, params, group, maya, path } = await createFeed();
    const page = await ruth.call(portal.portalLessons, { params });
    const lesson = page.body.lessons.find(({ studentId }) => studentId === maya.id);
    const fee = lesson?.cancellation?.fee ?? 0;
    const lessons = [{ sessionId: group.sessionId, studentId: maya.id, fee }];
    const reply = await ruth.call(portal.cancelPortalLessons, { params, body: { lessons } });
    expect(reply.status).toBe(200);
    expect((await readEvents(path)).map(({ status }) => status)).toEqual([
      'CANCELLED',
      'CONFIRMED',
    ]);
  });

  test('keep their local time when the clocks change', async () => {
    const { fixture, leo, path } = await createFeed();
    const when = { date: '2027-03-21', recurringEndDate: '2027-03-28' };
    await addLesson(fixture, weekly({ ...when, studentId: leo.id }));
    const events = (await readEvents(path)).slice(2);
    expect(events.map(({ rawStart, start }) => [rawStart, start.toISOString()])).toEqual([
      ['2027-03-21T16:00:00', '2027-03-21T16:00:00.000Z'],
      ['2027-03-28T16:00:00', '2027-03-28T15:00:00.000Z'],
    ]);
  });

  test('range from 30 days in the past to a year ahead', async () => {
    const { fixture, leo, path } = await createFeed();
    app.clock.set('2026-07-01T12:00:00Z');
    for (const date of ['2026-10-16', '2026-10-17', '2027-11-16', '2027-11-17'])
      await addLesson(fixture, { studentId: leo.id, date });
    app.clock.restart();
    const dates = (await readEvents(path)).map(({ rawStart }) => rawStart.slice(0, 10));
    expect(dates).toEqual(['2026-10-17', '2026-11-17', '2026-11-18', '2027-11-16']);
  });
});

test('the feed is kept when only the case of the email address changes', async () => {
  const { path, contacts } = await createFeed();
  await app.admin.query('update contacts set email = upper(email) where id = $1', [contacts.ruth]);
  expect((await fetchFeed(path)).status).toBe(200);
});

test('reading the feed changes nothing, and its text stays the same', async () => {
  const { browser, path } = await createFeed();
  const { revision } = (await browser.call(accounts.me)).body;
  const first = await fetchFeed(path);
  app.clock.advance({ hours: 3 });
  const second = await fetchFeed(path);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  expect((await browser.call(accounts.me)).body.revision).toBe(revision);
});
