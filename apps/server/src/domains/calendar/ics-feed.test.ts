import { setTimeout as waitFor } from 'node:timers/promises';
import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { families } from '@lessonbook/contract/families';
import { lessons } from '@lessonbook/contract/lessons';
import { publicBills } from '@lessonbook/contract/public-bill';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import { timeOff } from '@lessonbook/contract/time-off';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { getFeedPath, parseIcs, pathOf, splitIcsLines } from '../../test/ics-reader.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import {
  createDemoTutor,
  DEMO_CREDENTIALS,
} from '../accounts/service/create-and-replace-demo-account.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ DEMO_ACCOUNT: 'yes', RATE_LIMIT_FACTOR: '10' });
});
beforeEach(() => app.restartClock());
afterAll(() => app.close());

/** Fetches the feed as a calendar app does, without a cookie. */
async function fetchFeed(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function readFeed(fixture: { browser: Browser }) {
  const { status, text } = await fetchFeed(await getFeedPath(fixture.browser));
  expect(status).toBe(200);
  return parseIcs(text);
}

const readSingleEvent = async (fixture: LessonFixture) => {
  const { events } = await readFeed(fixture);
  expect(events).toHaveLength(1);
  return events[0] as (typeof events)[number];
};

const rotateUrl = async (browser: Browser) =>
  pathOf((await browser.call(calendar.replaceFeed)).body.url);

describe('the feed URL', () => {
  test('is created once, even by concurrent requests, and uses our own origin', async () => {
    const { browser } = await createTutor(app);
    // None of the requests finds a URL, so they all wait for the tutor's lock.
    const lockingClient = await app.admin.connect();
    await lockingClient.query('begin; select from tutors for update');
    const calls = [1, 2, 3, 4].map(() => browser.call(calendar.showFeed));
    await waitFor(300);
    await lockingClient.query('rollback');
    lockingClient.release();
    const responses = await Promise.all(calls);
    const urls = new Set(responses.map(({ body }) => body.url));
    expect(urls.size).toBe(1);
    expect([...urls][0]).toMatch(
      /^http:\/\/127\.0\.0\.1:1\/api\/calendar\/feeds\/f_[\w-]{38}\.ics$/,
    );
    expect((await browser.call(calendar.showFeed)).body.url).toBe([...urls][0]);
    expect((await fetchFeed(await getFeedPath(browser))).status).toBe(200);
  });

  test('can be read without changing the revision', async () => {
    const { browser } = await createTutor(app);
    const path = await getFeedPath(browser);
    const { revision } = (await browser.call(accounts.me)).body;
    await fetchFeed(path);
    expect((await browser.call(accounts.me)).body.revision).toBe(revision);
  });

  test('returns 404 as soon as it is replaced, and the new URL works', async () => {
    const { browser } = await createTutor(app);
    const old = await getFeedPath(browser);
    const tag = (await fetchFeed(old)).headers.get('etag') ?? '';
    const rotated = await rotateUrl(browser);
    expect(rotated).not.toBe(old);
    expect((await fetchFeed(old)).status).toBe(404);
    expect((await fetchFeed(old, { 'if-none-match': tag })).status).toBe(404);
    expect((await fetchFeed(rotated)).status).toBe(200);
    expect(await getFeedPath(browser)).toBe(rotated);
  });

  test('is the only valid URL after concurrent replacements', async () => {
    const { browser } = await createTutor(app);
    const paths = await Promise.all([1, 2, 3].map(() => rotateUrl(browser)));
    const responses = await Promise.all(paths.map((path) => fetchFeed(path)));
    expect(responses.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '404', '404']);
    expect((await fetchFeed(await getFeedPath(browser))).status).toBe(200);
  });

  test('can be replaced before it is first read', async () => {
    const { browser } = await createTutor(app);
    expect((await fetchFeed(await rotateUrl(browser))).status).toBe(200);
  });

  test('returns 404 for an unknown token, another kind of token or a missing extension', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const [family] = (await fixture.browser.call(families.listFamilies)).body;
    const params = { id: family?.id ?? 0 };
    const { payToken } = (await fixture.browser.call(families.family, { params, query: {} })).body;
    expect(payToken).toMatch(/^b_/);
    const paths = [
      `/api/calendar/feeds/${'A'.repeat(32)}.ics`,
      `/api/calendar/feeds/${payToken}.ics`,
      (await getFeedPath(fixture.browser)).replace('.ics', ''),
    ];
    for (const path of paths) expect([path, (await fetchFeed(path)).status]).toEqual([path, 404]);
  });

  test('does not give access to the public bill', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const token = /([\w-]+)\.ics$/.exec(await getFeedPath(fixture.browser))?.[1] ?? '';
    expect((await app.browser().call(publicBills.publicBill, { params: { token } })).status).toBe(
      404,
    );
  });

  test('works for the demo account', async () => {
    await createDemoTutor(app.context);
    const browser = app.browser();
    await browser.call(accounts.login, { body: { ...DEMO_CREDENTIALS } });
    const { text } = await fetchFeed(await getFeedPath(browser));
    expect(parseIcs(text).name).toBe('Lessonbook');
  });

  test('is rate limited per tutor', async () => {
    const { browser } = await createTutor(app);
    const path = await getFeedPath(browser);
    expect((await fetchFeed(path)).status).toBe(200);
    const updated = await app.admin.query(
      `update rate_limits set empty_at = '2026-11-16T13:00:00Z' where key like 'calendar-feed:%'`,
    );
    expect(updated.rowCount).toBe(1);
    expect((await fetchFeed(path)).status).toBe(429);
    app.clock.advance({ hours: 1 });
    expect((await fetchFeed(path)).status).toBe(200);
  });
});

describe('events', () => {
  test('include the first name, subject, place and a link to the session', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, { place: 'Library' });
    const { headers, text } = await fetchFeed(await getFeedPath(fixture.browser));
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('inline; filename="lessonbook.ics"');
    const lines = splitIcsLines(text);
    for (const line of [
      'X-WR-CALNAME:Lessonbook',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      'X-PUBLISHED-TTL:PT1H',
      'DTSTART;TZID=Europe/London:20261117T160000',
      'DTEND;TZID=Europe/London:20261117T170000',
      'CLASS:PRIVATE',
      'TRANSP:OPAQUE',
    ])
      expect(lines).toContain(line);
    expect(parseIcs(text).events).toMatchObject([
      {
        summary: 'Maya: Maths',
        location: 'Library',
        status: 'CONFIRMED',
        url: `http://127.0.0.1:1/sessions/${sessionId}`,
        start: new Date('2026-11-17T16:00:00Z'),
        end: new Date('2026-11-17T17:00:00Z'),
      },
    ]);
  });

  test('range from 90 days in the past to 24 months ahead', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    app.clock.set('2026-07-01T12:00:00Z');
    await addLesson(fixture, { date: '2026-08-17' });
    await addLesson(fixture, { date: '2026-08-18' });
    await addLesson(fixture, { date: '2028-11-01' });
    app.clock.restart();
    const { events } = await readFeed(fixture);
    expect(events.map(({ rawStart }) => rawStart.slice(0, 10))).toEqual([
      '2026-08-18',
      '2028-11-01',
    ]);
  });

  test('a completed session keeps the status CONFIRMED, and a cancelled one has the status CANCELLED', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const completed = await addLesson(fixture, {
      date: '2026-11-16',
      startTime: '08:00',
      endTime: '09:00',
    });
    const cancelled = await addLesson(fixture);
    const before = await readFeed(fixture);
    await fixture.browser.call(sessions.completeSession, {
      params: { id: completed.sessionId },
      body: {},
    });
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: cancelled.sessionId },
      body: { cancelledBy: 'tutor' },
    });
    const after = await readFeed(fixture);
    expect(after.events.map(({ status }) => status)).toEqual(['CONFIRMED', 'CANCELLED']);
    expect(after.events.map(({ uid }) => uid)).toEqual(before.events.map(({ uid }) => uid));
    const [previous, current] = [before.events[1], after.events[1]];
    expect(current?.sequence).toBeGreaterThan(previous?.sequence ?? 0);
    expect(current?.stamp.localeCompare(previous?.stamp ?? '')).toBe(1);
  });

  test('F79 a rescheduled session keeps its UID through moves and undo, with an increasing sequence', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const old = await readSingleEvent(fixture);
    const move = (id: number, date: string) =>
      fixture.browser.call(sessions.rescheduleSession, {
        params: { id },
        body: { date, startTime: '10:00', endTime: '11:00' },
      });
    const { id: secondId } = (await move(sessionId, '2026-11-19')).body;
    const moved = await readSingleEvent(fixture);
    expect(moved.start).toEqual(new Date('2026-11-19T10:00:00Z'));
    const { id: thirdId } = (await move(secondId, '2026-11-20')).body;
    const movedAgain = await readSingleEvent(fixture);
    expect(movedAgain.start).toEqual(new Date('2026-11-20T10:00:00Z'));
    await fixture.browser.call(sessions.undoReschedule, { params: { id: thirdId } });
    const undone = await readSingleEvent(fixture);
    expect(undone.start).toEqual(moved.start);
    const events = [old, moved, movedAgain, undone];
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(1);
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
  });

  test('a changed series keeps its UIDs, and each change increments the sequence', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    const change = (fields: object) =>
      fixture.browser.call(lessons.updateLesson, {
        params: { id: lessonId },
        body: { ...lessonBody(fixture, weekly()), ...fields, scope: 'all', sessionId },
      });
    const snapshots = [await readFeed(fixture)];
    const newTimes = { startTime: '17:00', endTime: '18:00' };
    for (const fields of [
      newTimes,
      { ...newTimes, title: 'Revision' },
      { ...newTimes, title: 'Revision', place: 'Hall' },
    ]) {
      expect((await change(fields)).status).toBe(200);
      snapshots.push(await readFeed(fixture));
    }
    const column = (pick: (event: { uid: string; sequence: number; stamp: string }) => unknown) =>
      snapshots.map(({ events }) => events.map(pick));
    const uids = column(({ uid }) => uid);
    expect(uids[0]).toHaveLength(5);
    for (const each of uids) expect(each).toEqual(uids[0]);
    expect(column(({ sequence }) => sequence)).toEqual([0, 1, 2, 3].map((n) => Array(5).fill(n)));
    expect(new Set(column(({ stamp }) => stamp).flat()).size).toBe(4);
    expect(snapshots[3]?.events[0]).toMatchObject({
      location: 'Hall',
      start: new Date('2026-11-17T17:00:00Z'),
    });
  });

  test('renaming a student or subject updates the summary', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture);
    await fixture.browser.call(students.updateStudent, {
      params: { id: fixture.studentId },
      body: { name: 'Mia Okafor' },
    });
    await fixture.browser.call(subjects.updateSubject, {
      params: { id: fixture.subjectId },
      body: { name: 'Physics', defaultFee: 35, currency: 'GBP' },
    });
    expect((await readSingleEvent(fixture)).summary).toBe('Mia: Physics');
  });

  test('after a time zone change, past events keep their instants and future ones keep their local times', async () => {
    const { browser, input } = await createTutor(app, { timeZone: 'Europe/London' });
    const fixture = {
      browser,
      studentId: (await createStudent(browser)).id,
      subjectId: (await createSubject(browser)).id,
    };
    const past = await addLesson(fixture, {
      date: '2026-11-16',
      startTime: '08:00',
      endTime: '09:00',
    });
    await fixture.browser.call(sessions.completeSession, {
      params: { id: past.sessionId },
      body: {},
    });
    await addLesson(fixture);
    const { name, email } = input;
    await browser.call(accounts.updateMe, { body: { name, email, timeZone: 'Australia/Sydney' } });
    const { events, zones } = await readFeed(fixture);
    expect(zones).toEqual(['Australia/Sydney']);
    expect(events.map(({ rawStart, start }) => [rawStart, start.toISOString()])).toEqual([
      ['2026-11-16T19:00:00', '2026-11-16T08:00:00.000Z'],
      ['2026-11-17T16:00:00', '2026-11-17T05:00:00.000Z'],
    ]);
  });

  test('[V1.1.2] text is escaped and folded into lines of at most 75 bytes', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const place = `Café "Zoë"; 2nd floor, left\nring C:\\Door, ${'😀ü'.repeat(60)}\nEND:VEVENT`;
    const subject = await createSubject(fixture.browser, { name: 'Größe, Maß; Ärger 🎻' });
    const student = await createStudent(fixture.browser, { name: 'Zoë,;\\ O’Neil' });
    await addLesson(fixture, { place, subjectId: subject.id, studentId: student.id });
    const { text } = await fetchFeed(await getFeedPath(fixture.browser));
    const lengths = splitIcsLines(text).map((line) => Buffer.byteLength(line));
    expect(Math.max(...lengths)).toBeGreaterThan(70);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(75);
    expect(parseIcs(text).events).toMatchObject([
      { location: place, summary: 'Zoë,;\\: Größe, Maß; Ärger 🎻' },
    ]);
  });

  test('a tutor without lessons has an empty calendar', async () => {
    const { browser } = await createTutor(app);
    expect(await readFeed({ browser })).toEqual({
      name: 'Lessonbook',
      zones: ['Europe/London'],
      events: [],
    });
  });
});

describe('the feed does not contain', () => {
  test('[V8.2.3] surnames, fees, phone numbers, addresses, notes, titles or carers', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const student = await createStudent(fixture.browser, {
      name: 'Noor Canarysurname',
      phone: '+447700900123',
      email: 'canarymail@example.com',
      notes: 'canarynotes',
      carerName: 'Canarycarer Canarysurname',
      carerPhone: '+447700900456',
      carerEmail: 'carercanary@example.com',
    });
    const secret = { title: 'Canarytitle', notes: 'canarynote', fee: 98.76 };
    const { sessionId } = await addLesson(fixture, { studentId: student.id, ...secret });
    const cancel = { cancelledBy: 'carer', reason: 'canaryreason' } as const;
    await fixture.browser.call(sessions.cancelSession, { params: { id: sessionId }, body: cancel });
    const { text } = await fetchFeed(await getFeedPath(fixture.browser));
    const unfolded = text.replaceAll('\r\n ', '');
    expect(unfolded).toContain('SUMMARY:Noor: Maths');
    expect(unfolded).not.toMatch(/canary|7700|98\.?76|GBP|£|Ada|Fenwick|example\.com/i);
  });

  test("another tutor's data", async () => {
    const [ours, theirs] = [
      await createTutorWithStudentAndSubject(app),
      await createTutorWithStudentAndSubject(app),
    ];
    await addLesson(ours, { place: 'Our room' });
    await addLesson(theirs, { place: 'Their room', date: '2026-11-18' });
    expect((await readFeed(ours)).events).toMatchObject([{ location: 'Our room' }]);
    expect((await readFeed(theirs)).events).toMatchObject([{ location: 'Their room' }]);
    await rotateUrl(theirs.browser);
    expect((await readFeed(ours)).events).toHaveLength(1);
  });
});

describe('repeated requests', () => {
  test('return identical text while nothing has changed, and identical events on another day', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const path = await getFeedPath(fixture.browser);
    const first = await fetchFeed(path);
    app.clock.advance({ hours: 3 });
    const second = await fetchFeed(path);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    app.clock.advance({ days: 1 });
    const events = (text: string) => text.slice(text.indexOf('BEGIN:VEVENT'));
    expect(events((await fetchFeed(path)).text)).toBe(events(first.text));
  });

  test('with the ETag return 304 until something changes or a new day begins', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const path = await getFeedPath(fixture.browser);
    const readTag = async () => (await fetchFeed(path)).headers.get('etag') ?? '';
    const fetchWithTag = async (tag: string) => fetchFeed(path, { 'if-none-match': tag });
    let tag = await readTag();
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, text, headers } = await fetchWithTag(known);
      expect([known, status, text]).toEqual([known, 304, '']);
      expect(headers.get('etag')).toBe(tag);
      expect(headers.get('content-type')).toBeNull();
    }
    expect((await fetchWithTag('"other"')).status).toBe(200);
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: sessionId },
      body: { cancelledBy: 'tutor' },
    });
    const changed = await fetchWithTag(tag);
    expect(changed.status).toBe(200);
    expect(parseIcs(changed.text).events[0]?.status).toBe('CANCELLED');
    tag = await readTag();
    expect((await fetchWithTag(tag)).status).toBe(304);
    app.clock.advance({ days: 1 });
    expect((await fetchWithTag(tag)).status).toBe(200);
  });

  test('with HEAD return the same headers without the body', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture);
    const path = await getFeedPath(fixture.browser);
    const whole = await fetchFeed(path);
    const head = await fetch(app.url + path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'));
    expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(whole.text));
  });

  test('with the ETag do not read the sessions table, even 1,000 times in a row', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly({ recurringEndDate: null }));
    const path = await getFeedPath(fixture.browser);
    const tag = (await fetchFeed(path)).headers.get('etag') ?? '';
    // While the table is locked, any read of sessions blocks.
    const owner = new pg.Client(app.urls.ownerUrl);
    await owner.connect();
    await owner.query('begin; lock table sessions in access exclusive mode');
    const blocked = fetch(app.url + path, { signal: AbortSignal.timeout(300) });
    await expect(blocked).rejects.toThrow('timeout');
    const startedAt = performance.now();
    const statuses = new Map<number, number>();
    for (let batch = 0; batch < 100; batch += 1) {
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => fetchFeed(path, { 'if-none-match': tag })),
      );
      for (const { status } of responses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    await owner.end();
    expect([...statuses]).toEqual([[304, 1000]]);
    const ms = performance.now() - startedAt;
    process.stdout.write(`[feed] 1,000 conditional requests in ${Math.round(ms)} ms\n`);
  });
});

test("F104 the feed contains the tutor's time off, without the reason", async () => {
  const fixture = await createTutorWithStudentAndSubject(app);
  for (const body of [
    { fromDate: '2026-12-21', toDate: '2027-01-01', reason: 'Operation' },
    { fromDate: '2026-11-19', toDate: '2026-11-20', startTime: '13:00', endTime: '15:45' },
  ]) {
    const saved = await fixture.browser.call(timeOff.createTimeOff, { body });
    expect(saved.status).toBe(201);
  }
  const path = await getFeedPath(fixture.browser);
  const { text } = await fetchFeed(path);
  const lines = splitIcsLines(text);
  expect(lines).toContain('DTSTART;VALUE=DATE:20261221');
  expect(lines).toContain('DTEND;VALUE=DATE:20270102');
  expect(lines).toContain('DTSTART;TZID=Europe/London:20261119T130000');
  expect(lines).toContain('DTEND;TZID=Europe/London:20261119T154500');
  expect(lines).toContain('RRULE:FREQ=DAILY;COUNT=2');
  expect(text).not.toContain('Operation');
  const { events } = parseIcs(text);
  expect(events.map(({ summary }) => summary)).toEqual(['Time off', 'Time off']);
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(2);
  expect((await fetchFeed(path)).text).toBe(text);

  // Another tutor's time off has the same number, but not the same UID.
  const other = await createTutorWithStudentAndSubject(app);
  await other.browser.call(timeOff.createTimeOff, {
    body: { fromDate: '2026-12-21', toDate: '2026-12-21' },
  });
  const [theirs] = (await readFeed(other)).events;
  expect(events.map(({ uid }) => uid)).not.toContain(theirs?.uid);
});
