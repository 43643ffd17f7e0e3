import { studentStatus } from '@lessonbook/contract/change-student-status';
import { portal } from '@lessonbook/contract/portal';
import { portalFeeds } from '@lessonbook/contract/portal-feed';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pathOf } from '../../test/ics-reader.ts';
import { markStudentsAsLeft } from '../../test/mark-students-as-left.ts';
import { createPortalFixture, signInToPortal } from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { portalAccess } from './queries/portal-views.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
beforeEach(() => app.restartClock());
afterAll(() => app.close());

/** Ruth, the carer of Maya and Leo, and Tom, the carer of Sam, both signed in with a calendar feed. */
async function createFamilies() {
  const family = await createPortalFixture(app);
  const people = [];
  for (const email of [family.ruthEmail, family.tomEmail]) {
    const { browser, login } = await signInToPortal(app, email);
    const params = { publicId: login.tutors[0]?.publicId as string };
    const feed = await browser.call(portalFeeds.createPortalFeed, { params });
    const readFeed = async () => (await fetch(app.url + pathOf(feed.body.url as string))).status;
    const read = () => browser.call(portal.portalLessons, { params });
    people.push({ browser, params, readFeed, read });
  }
  const [ruth, tom] = people as [(typeof people)[number], (typeof people)[number]];
  return { ...family, ruth, tom };
}

test("access to a student ends at midnight in the tutor's time zone", async () => {
  const { browser, sam, tom, tomEmail } = await createFamilies();
  // Summer time has begun in London, so midnight is 23:00 UTC.
  await markStudentsAsLeft(browser, {
    studentIds: [sam.id],
    lastDate: '2026-11-17',
    portalEndsOn: '2027-03-28',
  });
  app.clock.set('2027-03-28T22:59:00Z');
  const again = await signInToPortal(app, tomEmail);
  expect((await again.browser.call(portal.portalLessons, { params: tom.params })).status).toBe(200);
  expect(await tom.readFeed()).toBe(200);
  app.clock.set('2027-03-28T23:00:00Z');
  expect((await again.browser.call(portal.portalLessons, { params: tom.params })).status).toBe(401);
  expect(await tom.readFeed()).toBe(404);
});

test('a carer of two children still sees the other child, and sees the first one again once that child comes back', async () => {
  const { browser, maya, ruth } = await createFamilies();
  const names = async () =>
    (await ruth.read()).body.students.map(({ name }) => name.replace(/ .*/, '')).toSorted();
  await markStudentsAsLeft(browser, {
    studentIds: [maya.id],
    lastDate: '2026-11-16',
    portalEndsOn: '2026-11-17',
  });
  expect(await names()).toEqual(['Leo', 'Maya']);
  app.clock.set('2026-11-18T00:00:00Z');
  expect(await names()).toEqual(['Leo']);
  await browser.call(studentStatus.changeStudentStatus, {
    params: { id: maya.id },
    body: { status: 'active' },
  });
  expect(await names()).toEqual(['Leo', 'Maya']);
});

test('the database enforces the end of access without the application', async () => {
  const { browser, sam, contacts } = await createFamilies();
  await markStudentsAsLeft(browser, {
    studentIds: [sam.id],
    lastDate: '2026-11-17',
    portalEndsOn: '2026-11-20',
  });
  const { rows } = await app.admin.query<{ tutor_id: string; login_id: string }>(
    `select l.tutor_id, l.login_id from contact_logins l
      join students s on s.tutor_id = l.tutor_id and s.id = $2 and s.portal_ends_on = '2026-11-20'
      where l.contact_id = $1 order by l.first_seen_at desc limit 1`,
    [contacts.tom, sam.id],
  );
  const principal = {
    tutorId: rows[0]?.tutor_id ?? '',
    contactId: contacts.tom,
    loginId: rows[0]?.login_id ?? '',
  };
  const seenAt = async (time: string, loginId = principal.loginId) => {
    const at = new Date(time);
    const [access] = await app.context.db.contactRead({ ...principal, loginId, at }, (tx) => [
      portalAccess(tx),
    ]);
    return access.length;
  };
  expect(await seenAt('2026-11-20T23:59:59Z')).toBe(1);
  expect(await seenAt('2026-11-21T00:00:00Z')).toBe(0);
  expect(await seenAt('2026-11-21T00:00:00Z', 'feed')).toBe(0);
});

test('lessons that were cancelled because the student left are not listed', async () => {
  const { browser, sam, tom } = await createFamilies();
  const before = (await tom.read()).body.lessons.length;
  await markStudentsAsLeft(browser, {
    studentIds: [sam.id],
    lastDate: '2026-11-16',
    portalEndsOn: '2026-12-16',
  });
  expect(before).toBe(1);
  expect((await tom.read()).body.lessons).toEqual([]);
});
