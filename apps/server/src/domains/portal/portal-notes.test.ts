import { lessonNotes, type SaveNoteInput } from '@lessonbook/contract/lesson-notes';
import { portal } from '@lessonbook/contract/portal';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { PORTAL_NOTES_PAGE, portalNotes } from '@lessonbook/contract/portal-notes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addLesson, fetchSessionsBetween, weekly } from '../../test/lesson-fixture.ts';
import { type PortalPerson, signInPerson } from '../../test/move-request-fixture.ts';
import { addSecondContact, createPortalFixture } from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/* The test clock starts on Monday 16 November 2026, at noon. Leo's lesson is on Wednesday. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

async function createFamily() {
  const family = await createPortalFixture(app);
  const { browser, leo, own } = family;
  const share = (note: Partial<SaveNoteInput>) =>
    browser.call(lessonNotes.saveNote, {
      params: { id: own.sessionId, studentId: leo.id },
      body: { share: true, ...note },
    });
  const ruth = await signInPerson(app, family.ruthEmail);
  return { ...family, share, ruth, seat: { sessionId: own.sessionId, studentId: leo.id } };
}

const read = async ({ browser, publicId }: PortalPerson, query = {}) =>
  (await browser.call(portalNotes.portalNotes, { params: { publicId }, query })).body;
const tick = (
  { browser, publicId }: PortalPerson,
  seat: { sessionId: number; studentId: number },
  isDone: boolean,
) =>
  browser.call(portalNotes.setPortalHomeworkDone, {
    params: { publicId },
    body: { ...seat, isDone },
  });

describe('the notes in the portal', () => {
  test('are shown once they are shared, and no longer once they are withdrawn', async () => {
    const { browser, share, ruth, seat, own, leo, maya } = await createFamily();
    await share({ did: 'Draft', share: false });
    const page = {
      tutorName: 'Ada Fenwick',
      today: '2026-11-16',
      students: [
        { id: maya.id, name: 'Maya' },
        { id: leo.id, name: 'Leo' },
      ],
      hasMore: false,
    };
    expect(await read(ruth)).toEqual({ ...page, homework: [], notes: [] });
    await share({ did: 'Fractions', nextTime: 'Decimals', homework: '9B', dueOn: '2026-11-25' });
    const lesson = { ...seat, date: '2026-11-18', subjectName: 'Maths' };
    expect(await read(ruth)).toEqual({
      ...page,
      homework: [{ ...lesson, text: '9B', dueOn: '2026-11-25', done: null }],
      notes: [{ ...lesson, did: 'Fractions', nextTime: 'Decimals' }],
    });
    await browser.call(lessonNotes.withdrawNote, {
      params: { id: own.sessionId, studentId: leo.id },
    });
    expect(await read(ruth)).toEqual({ ...page, homework: [], notes: [] });
    expect((await tick(ruth, seat, true)).status).toBe(404);
  });

  test("the list of lessons includes which students' notes the person may see", async () => {
    const { browser, maya, ruth, ruthEmail } = await createFamily();
    const readStudents = async ({ browser: own, publicId }: PortalPerson) =>
      (await own.call(portal.portalLessons, { params: { publicId } })).body.students;
    expect((await readStudents(ruth)).map(({ seesNotes }) => seesNotes)).toEqual([true, true]);
    const email = `second-${ruthEmail}`;
    await addSecondContact(browser, maya.id, { email, access: { seesLessons: true } });
    const second = await signInPerson(app, email);
    expect((await readStudents(second)).map(({ seesNotes }) => seesNotes)).toEqual([false]);
  });

  test('are paginated for each student', async () => {
    const { browser, fixture, maya, ruth, share } = await createFamily();
    await share({ did: 'Leo' });
    await addLesson(
      fixture,
      weekly({ date: '2026-11-19', recurringEndDate: '2027-04-30', startTime: '09:00' }),
    );
    const rows = [
      ...(await fetchSessionsBetween(fixture, '2026-11-19', '2027-01-31')),
      ...(await fetchSessionsBetween(fixture, '2027-02-01', '2027-05-01')),
    ].slice(0, PORTAL_NOTES_PAGE + 2);
    for (const { id } of rows)
      await browser.call(lessonNotes.saveNote, {
        params: { id, studentId: maya.id },
        body: { did: `Lesson ${id}`, share: true },
      });
    const first = await read(ruth, { studentId: maya.id });
    expect([first.notes.length, first.hasMore]).toEqual([PORTAL_NOTES_PAGE, true]);
    const next = await read(ruth, { studentId: maya.id, offset: PORTAL_NOTES_PAGE });
    expect(next.hasMore).toBe(false);
    expect([...first.notes, ...next.notes].map(({ sessionId }) => sessionId)).toEqual(
      rows.map(({ id }) => id).toReversed(),
    );
  });
});

describe('homework in the portal', () => {
  test('is no longer done once other homework is shared, but stays done if only the rest of the note changes', async () => {
    const { browser, own, share, ruth, seat } = await createFamily();
    const readDone = async () => (await read(ruth)).homework.map(({ text, done }) => [text, done]);
    const done = { on: '2026-11-16', by: 'you' };
    await share({ homework: '9A' });
    await tick(ruth, seat, true);
    await share({ did: 'Fractions', homework: '9A' });
    expect(await readDone()).toEqual([['9A', done]]);
    await share({ homework: '9B', share: false });
    expect(await readDone()).toEqual([['9A', done]]);
    await share({ homework: '9B' });
    expect(await readDone()).toEqual([['9B', null]]);
    const { body } = await browser.call(lessonNotes.sessionNotes, {
      params: { id: own.sessionId },
    });
    expect(body.students[0]?.note?.homeworkDone).toBeNull();
  });

  test('can be marked as done and not done any number of times, and the tutor sees by whom', async () => {
    const { browser, share, ruth, seat } = await createFamily();
    await share({ homework: '9B' });
    const readDone = async () => {
      const { body } = await browser.call(lessonNotes.sessionNotes, {
        params: { id: seat.sessionId },
      });
      return body.students[0]?.note?.homeworkDone;
    };
    const replies = await Promise.all([tick(ruth, seat, true), tick(ruth, seat, true)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect((await read(ruth)).homework).toMatchObject([{ done: { on: '2026-11-16', by: 'you' } }]);
    expect(await readDone()).toMatchObject({ name: 'Ruth Hale' });
    await tick(ruth, seat, false);
    await tick(ruth, seat, false);
    expect((await read(ruth)).homework).toMatchObject([{ done: null }]);
    expect(await readDone()).toBeNull();
  });

  test('does not show the name of another contact who marked it as done', async () => {
    const { browser, leo, share, ruth, seat, ruthEmail } = await createFamily();
    await share({ homework: '9B' });
    const email = `second-${ruthEmail}`;
    await addSecondContact(browser, leo.id, { email, access: { seesNotes: true } });
    const second = await signInPerson(app, email);
    await tick(second, seat, true);
    // Marking homework that is already done changes nothing.
    await tick(ruth, seat, true);
    expect((await read(ruth)).homework).toMatchObject([{ done: { by: 'family' } }]);
    expect(JSON.stringify(await read(ruth))).not.toContain('Paul');
  });

  test('is listed last once it is done', async () => {
    const { browser, fixture, leo, share, ruth, seat } = await createFamily();
    await share({ homework: 'First', dueOn: '2026-11-20' });
    const { sessionId } = await addLesson(fixture, { studentId: leo.id, date: '2026-11-25' });
    await browser.call(lessonNotes.saveNote, {
      params: { id: sessionId, studentId: leo.id },
      body: { homework: 'Second', dueOn: null, share: true },
    });
    const texts = async () => (await read(ruth)).homework.map(({ text }) => text);
    expect(await texts()).toEqual(['First', 'Second']);
    await tick(ruth, seat, true);
    expect(await texts()).toEqual(['Second', 'First']);
  });

  test('cannot be changed after the portal is closed, or for another family', async () => {
    const { browser, share, ruth, seat, sam, group } = await createFamily();
    await share({ homework: '9B' });
    const params = { id: group.sessionId, studentId: sam.id };
    await browser.call(lessonNotes.saveNote, { params, body: { homework: 'Sam', share: true } });
    const other = { sessionId: group.sessionId, studentId: sam.id };
    expect((await tick(ruth, other, true)).status).toBe(404);
    await browser.call(portalSettings.closePortal);
    expect((await tick(ruth, seat, true)).status).toBe(401);
  });
});
