import { setTimeout as waitFor } from 'node:timers/promises';
import { accounts } from '@lessonbook/contract/accounts';
import { bills } from '@lessonbook/contract/bills';
import { calendar } from '@lessonbook/contract/calendar';
import { families } from '@lessonbook/contract/families';
import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newStudent, newSubject } from '../../test/book.ts';
import type { Browser } from '../../test/browser.ts';
import { linesOf, pathOf, readCalendar, subscribe } from '../../test/calendar-reader.ts';
import { type House, openHouse } from '../../test/house.ts';
import { addLesson, type Desk, lessonBody, openDesk, weekly } from '../../test/teaching.ts';
import { signedIn } from '../../test/tutor.ts';
import { DEMO, makeDemoTutor } from '../accounts/service/demo.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ DEMO_ACCOUNT: 'yes', RATE_LIMIT_FACTOR: '10' });
});
beforeEach(() => house.restartClock());
afterAll(() => house.close());

/** What a program without any cookie gets. */
async function fetchFeed(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(house.url + path, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function readFeed(desk: { browser: Browser }) {
  const { status, text } = await fetchFeed(await subscribe(desk.browser));
  expect(status).toBe(200);
  return readCalendar(text);
}

const only = async (desk: Desk) => {
  const { appointments } = await readFeed(desk);
  expect(appointments).toHaveLength(1);
  return appointments[0] as (typeof appointments)[number];
};

const replace = async (browser: Browser) =>
  pathOf((await browser.call(calendar.replaceFeed)).body.url);

describe('the address', () => {
  test('is made once, also when two ask at once, and is under our own name', async () => {
    const { browser } = await signedIn(house);
    // All of them see that there is none, and wait for one another at the tutor's lock.
    const holder = await house.admin.connect();
    await holder.query('begin; select from tutors for update');
    const calls = [1, 2, 3, 4].map(() => browser.call(calendar.calendarFeed));
    await waitFor(300);
    await holder.query('rollback');
    holder.release();
    const asked = await Promise.all(calls);
    const urls = new Set(asked.map(({ body }) => body.url));
    expect(urls.size).toBe(1);
    expect([...urls][0]).toMatch(/^http:\/\/127\.0\.0\.1:1\/api\/calendar\/feeds\/[\w-]{32}\.ics$/);
    expect((await browser.call(calendar.calendarFeed)).body.url).toBe([...urls][0]);
    expect((await fetchFeed(await subscribe(browser))).status).toBe(200);
  });

  test('is the same after a look, which changes nothing in the book', async () => {
    const { browser } = await signedIn(house);
    await subscribe(browser);
    const { revision } = (await browser.call(accounts.me)).body;
    await fetchFeed(await subscribe(browser));
    expect((await browser.call(accounts.me)).body.revision).toBe(revision);
  });

  test('is dead at once when it was replaced, and the new one works', async () => {
    const { browser } = await signedIn(house);
    const old = await subscribe(browser);
    const tag = (await fetchFeed(old)).headers.get('etag') ?? '';
    const fresh = await replace(browser);
    expect(fresh).not.toBe(old);
    expect((await fetchFeed(old)).status).toBe(404);
    expect((await fetchFeed(old, { 'if-none-match': tag })).status).toBe(404);
    expect((await fetchFeed(fresh)).status).toBe(200);
    expect(await subscribe(browser)).toBe(fresh);
  });

  test('is one, whoever replaces it at the same time', async () => {
    const { browser } = await signedIn(house);
    const made = await Promise.all([1, 2, 3].map(() => replace(browser)));
    const answers = await Promise.all(made.map((path) => fetchFeed(path)));
    expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '404', '404']);
    expect((await fetchFeed(await subscribe(browser))).status).toBe(200);
  });

  test('can be replaced before anyone asked for it', async () => {
    const { browser } = await signedIn(house);
    expect((await fetchFeed(await replace(browser))).status).toBe(200);
  });

  test('is the whole of it: another token, one of another kind, or no ending is a 404', async () => {
    const desk = await openDesk(house);
    const [family] = (await desk.browser.call(families.listFamilies)).body;
    const params = { id: family?.id ?? 0 };
    const { payToken } = (await desk.browser.call(families.family, { params, query: {} })).body;
    expect(payToken).toMatch(/^b_/);
    const paths = [
      `/api/calendar/feeds/${'A'.repeat(32)}.ics`,
      `/api/calendar/feeds/${payToken}.ics`,
      (await subscribe(desk.browser)).replace('.ics', ''),
    ];
    for (const path of paths) expect([path, (await fetchFeed(path)).status]).toEqual([path, 404]);
  });

  test('opens no bill', async () => {
    const desk = await openDesk(house);
    const token = /([\w-]+)\.ics$/.exec(await subscribe(desk.browser))?.[1] ?? '';
    expect((await house.browser().call(bills.publicBill, { params: { token } })).status).toBe(404);
  });

  test('is offered to the demo account like to anyone', async () => {
    await makeDemoTutor(house.context);
    const browser = house.browser();
    await browser.call(accounts.login, { body: { ...DEMO } });
    const { text } = await fetchFeed(await subscribe(browser));
    expect(readCalendar(text).name).toBe('Lessonbook');
  });

  test('is read as often as programs like, but not without end', async () => {
    const { browser } = await signedIn(house);
    const path = await subscribe(browser);
    expect((await fetchFeed(path)).status).toBe(200);
    const full = await house.admin.query(
      `update rate_limits set empty_at = '2026-11-16T13:00:00Z' where key like 'calendar-feed:%'`,
    );
    expect(full.rowCount).toBe(1);
    expect((await fetchFeed(path)).status).toBe(429);
    house.clock.forward({ hours: 1 });
    expect((await fetchFeed(path)).status).toBe(200);
  });
});

describe('the lessons', () => {
  test('stand there with first name, subject, place and the way back, in the file that calendars like', async () => {
    const desk = await openDesk(house);
    const { sessionId } = await addLesson(desk, { place: 'Library' });
    const { headers, text } = await fetchFeed(await subscribe(desk.browser));
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('inline; filename="lessonbook.ics"');
    const lines = linesOf(text);
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
    expect(readCalendar(text).appointments).toMatchObject([
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

  test('go 90 days back and as far ahead as the book', async () => {
    const desk = await openDesk(house);
    house.clock.set('2026-07-01T12:00:00Z');
    await addLesson(desk, { date: '2026-08-17' });
    await addLesson(desk, { date: '2026-08-18' });
    await addLesson(desk, { date: '2028-11-01' });
    house.clock.restart();
    const { appointments } = await readFeed(desk);
    expect(appointments.map(({ written }) => written.slice(0, 10))).toEqual([
      '2026-08-18',
      '2028-11-01',
    ]);
  });

  test('a taught one stays as it is, and a cancelled one stays and says so', async () => {
    const desk = await openDesk(house);
    const taught = await addLesson(desk, {
      date: '2026-11-16',
      startTime: '08:00',
      endTime: '09:00',
    });
    const off = await addLesson(desk);
    const before = await readFeed(desk);
    await desk.browser.call(sessions.completeSession, {
      params: { id: taught.sessionId },
      body: {},
    });
    await desk.browser.call(sessions.cancelSession, {
      params: { id: off.sessionId },
      body: { cancelledBy: 'tutor' },
    });
    const after = await readFeed(desk);
    expect(after.appointments.map(({ status }) => status)).toEqual(['CONFIRMED', 'CANCELLED']);
    expect(after.appointments.map(({ uid }) => uid)).toEqual(
      before.appointments.map(({ uid }) => uid),
    );
    const [was, is] = [before.appointments[1], after.appointments[1]];
    expect(is?.sequence).toBeGreaterThan(was?.sequence ?? 0);
    expect(is?.stamp.localeCompare(was?.stamp ?? '')).toBe(1);
  });

  test('one that was moved by itself is gone from its old place and stands in the new one', async () => {
    const desk = await openDesk(house);
    const { sessionId } = await addLesson(desk);
    const old = await only(desk);
    await desk.browser.call(sessions.rescheduleSession, {
      params: { id: sessionId },
      body: { date: '2026-11-19', startTime: '10:00', endTime: '11:00' },
    });
    const moved = await only(desk);
    expect(moved.uid).not.toBe(old.uid);
    expect(moved.start).toEqual(new Date('2026-11-19T10:00:00Z'));
  });

  test('a series that moves keeps its names, and each change counts on', async () => {
    const desk = await openDesk(house);
    const { lessonId, sessionId } = await addLesson(desk, weekly());
    const change = (fields: object) =>
      desk.browser.call(lessons.updateLesson, {
        params: { id: lessonId },
        body: { ...lessonBody(desk, weekly()), ...fields, scope: 'all', sessionId },
      });
    const seen = [await readFeed(desk)];
    const later = { startTime: '17:00', endTime: '18:00' };
    for (const fields of [
      later,
      { ...later, title: 'Revision' },
      { ...later, title: 'Revision', place: 'Hall' },
    ]) {
      expect((await change(fields)).status).toBe(200);
      seen.push(await readFeed(desk));
    }
    const column = (pick: (one: { uid: string; sequence: number; stamp: string }) => unknown) =>
      seen.map(({ appointments }) => appointments.map(pick));
    const uids = column(({ uid }) => uid);
    expect(uids[0]).toHaveLength(5);
    for (const each of uids) expect(each).toEqual(uids[0]);
    expect(column(({ sequence }) => sequence)).toEqual([0, 1, 2, 3].map((n) => Array(5).fill(n)));
    expect(new Set(column(({ stamp }) => stamp).flat()).size).toBe(4);
    expect(seen[3]?.appointments[0]).toMatchObject({
      location: 'Hall',
      start: new Date('2026-11-17T17:00:00Z'),
    });
  });

  test('a new name of student or subject is shown', async () => {
    const desk = await openDesk(house);
    await addLesson(desk);
    await desk.browser.call(students.updateStudent, {
      params: { id: desk.studentId },
      body: { name: 'Mia Okafor' },
    });
    await desk.browser.call(subjects.updateSubject, {
      params: { id: desk.subjectId },
      body: { name: 'Physics', defaultFee: 35, currency: 'GBP' },
    });
    expect((await only(desk)).summary).toBe('Mia: Physics');
  });

  test('after a move to another zone the past stays at its instants, and the coming keep their hours', async () => {
    const { browser, input } = await signedIn(house, { timeZone: 'Europe/London' });
    const desk = {
      browser,
      studentId: (await newStudent(browser)).id,
      subjectId: (await newSubject(browser)).id,
    };
    const past = await addLesson(desk, {
      date: '2026-11-16',
      startTime: '08:00',
      endTime: '09:00',
    });
    await desk.browser.call(sessions.completeSession, { params: { id: past.sessionId }, body: {} });
    await addLesson(desk);
    const { name, email } = input;
    await browser.call(accounts.updateMe, { body: { name, email, timeZone: 'Australia/Sydney' } });
    const { appointments, zones } = await readFeed(desk);
    expect(zones).toEqual(['Australia/Sydney']);
    expect(appointments.map(({ written, start }) => [written, start.toISOString()])).toEqual([
      ['2026-11-16T19:00:00', '2026-11-16T08:00:00.000Z'],
      ['2026-11-17T16:00:00', '2026-11-17T05:00:00.000Z'],
    ]);
  });

  test('[V1.1.2] whatever is typed comes out as it was, in lines of at most 75 bytes', async () => {
    const desk = await openDesk(house);
    const place = `Café "Zoë"; 2nd floor, left\nring C:\\Door, ${'😀ü'.repeat(60)}\nEND:VEVENT`;
    const subject = await newSubject(desk.browser, { name: 'Größe, Maß; Ärger 🎻' });
    const student = await newStudent(desk.browser, { name: 'Zoë,;\\ O’Neil' });
    await addLesson(desk, { place, subjectId: subject.id, studentId: student.id });
    const { text } = await fetchFeed(await subscribe(desk.browser));
    const lengths = linesOf(text).map((line) => Buffer.byteLength(line));
    expect(Math.max(...lengths)).toBeGreaterThan(70);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(75);
    expect(readCalendar(text).appointments).toMatchObject([
      { location: place, summary: 'Zoë,;\\: Größe, Maß; Ärger 🎻' },
    ]);
  });

  test('an empty book is a calendar too', async () => {
    const { browser } = await signedIn(house);
    expect(await readFeed({ browser })).toEqual({
      name: 'Lessonbook',
      zones: ['Europe/London'],
      appointments: [],
    });
  });
});

describe('what whoever holds the address does not learn', () => {
  test('[V8.2.3] surnames, fees, telephones, addresses, notes, titles and carers', async () => {
    const desk = await openDesk(house);
    const student = await newStudent(desk.browser, {
      name: 'Noor Canarysurname',
      phone: '+447700900123',
      email: 'canarymail@example.com',
      notes: 'canarynotes',
      carerName: 'Canarycarer Canarysurname',
      carerPhone: '+447700900456',
      carerEmail: 'carercanary@example.com',
    });
    const secret = { title: 'Canarytitle', notes: 'canarynote', fee: 98.76 };
    const { sessionId } = await addLesson(desk, { studentId: student.id, ...secret });
    const cancel = { cancelledBy: 'carer', reason: 'canaryreason' } as const;
    await desk.browser.call(sessions.cancelSession, { params: { id: sessionId }, body: cancel });
    const { text } = await fetchFeed(await subscribe(desk.browser));
    const unfolded = text.replaceAll('\r\n ', '');
    expect(unfolded).toContain('SUMMARY:Noor: Maths');
    expect(unfolded).not.toMatch(/canary|7700|98\.?76|GBP|£|Ada|Fenwick|example\.com/i);
  });

  test('anything of another tutor', async () => {
    const [ours, theirs] = [await openDesk(house), await openDesk(house)];
    await addLesson(ours, { place: 'Our room' });
    await addLesson(theirs, { place: 'Their room', date: '2026-11-18' });
    expect((await readFeed(ours)).appointments).toMatchObject([{ location: 'Our room' }]);
    expect((await readFeed(theirs)).appointments).toMatchObject([{ location: 'Their room' }]);
    await replace(theirs.browser);
    expect((await readFeed(ours)).appointments).toHaveLength(1);
  });
});

describe('asking again', () => {
  test('gets the same text to the letter while nothing changed, also another day', async () => {
    const desk = await openDesk(house);
    await addLesson(desk, weekly());
    const path = await subscribe(desk.browser);
    const first = await fetchFeed(path);
    house.clock.forward({ hours: 3 });
    const second = await fetchFeed(path);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    house.clock.forward({ days: 1 });
    const events = (text: string) => text.slice(text.indexOf('BEGIN:VEVENT'));
    expect(events((await fetchFeed(path)).text)).toBe(events(first.text));
  });

  test('with its tag gets 304 and nothing else, until something changed or a new day began', async () => {
    const desk = await openDesk(house);
    const { sessionId } = await addLesson(desk);
    const path = await subscribe(desk.browser);
    const tagNow = async () => (await fetchFeed(path)).headers.get('etag') ?? '';
    const ask = async (tag: string) => fetchFeed(path, { 'if-none-match': tag });
    let tag = await tagNow();
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, text, headers } = await ask(known);
      expect([known, status, text]).toEqual([known, 304, '']);
      expect(headers.get('etag')).toBe(tag);
      expect(headers.get('content-type')).toBeNull();
    }
    expect((await ask('"other"')).status).toBe(200);
    await desk.browser.call(sessions.cancelSession, {
      params: { id: sessionId },
      body: { cancelledBy: 'tutor' },
    });
    const changed = await ask(tag);
    expect(changed.status).toBe(200);
    expect(readCalendar(changed.text).appointments[0]?.status).toBe('CANCELLED');
    tag = await tagNow();
    expect((await ask(tag)).status).toBe(304);
    house.clock.forward({ days: 1 });
    expect((await ask(tag)).status).toBe(200);
  });

  test('HEAD says the same without the text', async () => {
    const desk = await openDesk(house);
    await addLesson(desk);
    const path = await subscribe(desk.browser);
    const whole = await fetchFeed(path);
    const head = await fetch(house.url + path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'));
    expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(whole.text));
  });

  test('a thousand times reads no session', async () => {
    const desk = await openDesk(house);
    await addLesson(desk, weekly({ recurringEndDate: null }));
    const path = await subscribe(desk.browser);
    const tag = (await fetchFeed(path)).headers.get('etag') ?? '';
    // Nobody can look into the sessions now: whoever tries, waits.
    const owner = new pg.Client(house.urls.ownerUrl);
    await owner.connect();
    await owner.query('begin; lock table sessions in access exclusive mode');
    const tries = fetch(house.url + path, { signal: AbortSignal.timeout(300) });
    await expect(tries).rejects.toThrow('timeout');
    const begun = performance.now();
    const statuses = new Map<number, number>();
    for (let lot = 0; lot < 100; lot += 1) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => fetchFeed(path, { 'if-none-match': tag })),
      );
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    await owner.end();
    expect([...statuses]).toEqual([[304, 1000]]);
    const ms = performance.now() - begun;
    process.stdout.write(`[feed] 1,000 conditional requests in ${Math.round(ms)} ms\n`);
  });
});
