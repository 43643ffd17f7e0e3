import { type LessonChange, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { type TimeOffInput, timeOff } from '@lessonbook/contract/time-off';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../../test/house.ts';
import {
  addLesson,
  type Desk,
  diary,
  lessonBody,
  openDesk,
  rowsBetween,
  weekly,
} from '../../test/teaching.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => house.close());

type OffBody = Partial<TimeOffInput> & { fromDate: string; toDate: string };

/** The week of 23 November; the weekly lesson is on its Tuesday. */
const week: OffBody = { fromDate: '2026-11-23', toDate: '2026-11-29' };

const preview = async (desk: Desk, body: OffBody) =>
  (await desk.browser.call(timeOff.previewTimeOff, { body })).body;
const take = (desk: Desk, body: OffBody) => desk.browser.call(timeOff.createTimeOff, { body });
const remove = (desk: Desk, id: number, restore?: 'true' | 'false') =>
  desk.browser.call(timeOff.deleteTimeOff, {
    params: { id },
    query: restore ? { restore } : {},
  });
const list = async (desk: Desk) => (await desk.browser.call(timeOff.listTimeOff)).body;

/** Takes the time off and cancels everything inside, as the dialog does with all rows ticked. */
async function takeAll(desk: Desk, body: OffBody = week): Promise<number> {
  const inside = await preview(desk, body);
  const saved = await take(desk, { ...body, cancelSessionIds: inside.map((row) => row.id) });
  if (saved.status !== 201) throw new Error(saved.error.message);
  return saved.body.id;
}

describe('taking time off', () => {
  test('shows the scheduled sessions inside and changes nothing yet', async () => {
    const desk = await openDesk(house);
    await addLesson(desk, weekly());
    await addLesson(desk, { date: '2026-11-29', startTime: '09:00', endTime: '10:00' });
    await addLesson(desk, { date: '2026-11-30', startTime: '09:00', endTime: '10:00' });
    const taught = await addLesson(desk, { date: '2026-11-25' });
    await desk.browser.call(sessions.completeSession, {
      params: { id: taught.sessionId },
      body: {},
    });
    const before = await diary(desk);
    const rows = await preview(desk, week);
    expect(rows.map((row) => [row.date, row.startTime, row.studentName])).toEqual([
      ['2026-11-24', '16:00', 'Maya Okafor'],
      ['2026-11-29', '09:00', 'Maya Okafor'],
    ]);
    expect(await diary(desk)).toEqual(before);
    expect(await list(desk)).toEqual([]);
  });

  test('hours of a day: only what lies in them, and what only touches stays out', async () => {
    const desk = await openDesk(house);
    for (const [startTime, endTime] of [
      ['08:00', '09:00'],
      ['09:00', '10:00'],
      ['11:30', '12:30'],
      ['13:00', '14:00'],
    ] as const)
      await addLesson(desk, { date: '2026-11-24', startTime, endTime });
    const morning = { ...week, startTime: '09:00', endTime: '12:00' };
    expect((await preview(desk, morning)).map((row) => row.startTime)).toEqual(['09:00', '11:30']);
    await takeAll(desk, morning);
    expect(await diary(desk)).toEqual([
      '2026-11-24 08:00 scheduled',
      '2026-11-24 09:00 cancelled',
      '2026-11-24 11:30 cancelled',
      '2026-11-24 13:00 scheduled',
    ]);
  });

  test('the ticked ones are cancelled by the tutor, free; the others stay', async () => {
    const desk = await openDesk(house);
    const one = await addLesson(desk, { date: '2026-11-24' });
    const two = await addLesson(desk, { date: '2026-11-25' });
    const saved = await take(desk, {
      ...week,
      reason: 'Half-term',
      cancelSessionIds: [one.sessionId],
    });
    expect(saved.status).toBe(201);
    expect(saved.body).toEqual({
      id: saved.body.id,
      ...week,
      startTime: null,
      endTime: null,
      reason: 'Half-term',
      cancelled: 1,
    });
    expect(await list(desk)).toEqual([saved.body]);
    const read = async (id: number) =>
      (await desk.browser.call(sessions.session, { params: { id } })).body;
    expect(await read(one.sessionId)).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'tutor',
      charged: null,
    });
    expect((await read(two.sessionId)).status).toBe('scheduled');
  });

  test('a session that was cancelled or moved since the preview stops it with a 409', async () => {
    const desk = await openDesk(house);
    const one = await addLesson(desk, { date: '2026-11-24' });
    const two = await addLesson(desk, { date: '2026-11-25' });
    const cancelSessionIds = (await preview(desk, week)).map((row) => row.id);
    await desk.browser.call(sessions.rescheduleSession, {
      params: { id: two.sessionId },
      body: { date: '2026-12-02', startTime: '16:00', endTime: '17:00' },
    });
    const refused = await take(desk, { ...week, cancelSessionIds });
    expect(refused.status).toBe(409);
    expect(refused.error.message).toBe('The sessions inside have changed. Please look again.');
    expect(await list(desk)).toEqual([]);
    const { body } = await desk.browser.call(sessions.session, { params: { id: one.sessionId } });
    expect(body.status).toBe('scheduled');
  });

  test('a session outside the range cannot be cancelled along', async () => {
    const desk = await openDesk(house);
    const { sessionId } = await addLesson(desk);
    expect((await take(desk, { ...week, cancelSessionIds: [sessionId] })).status).toBe(409);
    expect(await diary(desk)).toEqual(['2026-11-17 16:00 scheduled']);
  });

  test('sent twice with one key it is taken once', async () => {
    const desk = await openDesk(house);
    const { sessionId } = await addLesson(desk, { date: '2026-11-24' });
    const body = { ...week, cancelSessionIds: [sessionId] };
    const send = () =>
      desk.browser.send('POST', '/api/time-off', body, { 'idempotency-key': 'half-term-once' });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201]);
    expect(await list(desk)).toHaveLength(1);
  });

  test.each([
    ['fromDate', { fromDate: '' }, 'First day is required'],
    ['toDate', { toDate: undefined }, 'Last day is required'],
    ['toDate', { toDate: '2026-11-31' }, 'Please pick a date'],
    ['toDate', { toDate: '2026-11-22' }, 'The last day must not be before the first'],
    ['endTime', { startTime: '09:00' }, 'Please give both times, or neither'],
    ['startTime', { endTime: '09:00' }, 'Please give both times, or neither'],
    ['endTime', { startTime: '09:00', endTime: '09:00' }, 'End time must be after start time'],
    ['startTime', { startTime: '9', endTime: '10:00' }, 'Please enter a time as HH:MM'],
    ['reason', { reason: 'x'.repeat(201) }, 'Please use at most 200 characters'],
  ])('a wrong %s is refused in words, before and at saving', async (field, change, message) => {
    const desk = await openDesk(house);
    for (const path of ['/api/time-off/preview', '/api/time-off']) {
      const answer = await desk.browser.send('POST', path, { ...week, ...change });
      expect(answer.status).toBe(400);
      expect(answer.error.fields).toEqual({ [field]: message });
    }
    expect(await list(desk)).toEqual([]);
  });

  test('what is over leaves the list, by the calendar of the tutor', async () => {
    const london = await openDesk(house);
    const auckland = await openDesk(house, 'Pacific/Auckland');
    for (const desk of [london, auckland])
      await take(desk, { fromDate: '2026-11-10', toDate: '2026-11-16' });
    expect(await list(london)).toHaveLength(1);
    expect(await list(auckland)).toEqual([]);
  });
});

describe('a series made after the time off was taken', () => {
  test('skips it: that date comes as cancelled by it, the others as scheduled', async () => {
    const desk = await openDesk(house);
    const id = await takeAll(desk);
    await addLesson(desk, weekly({ recurringEndDate: '2026-12-01' }));
    expect(await diary(desk)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-24 16:00 cancelled',
      '2026-12-01 16:00 scheduled',
    ]);
    expect(await list(desk)).toMatchObject([{ id, cancelled: 1 }]);
    expect((await remove(desk, id, 'true')).body).toMatchObject({ restored: 1, overlaps: [] });
    expect(await diary(desk)).toContain('2026-11-24 16:00 scheduled');
  });

  test('at other hours of the day does not skip it', async () => {
    const desk = await openDesk(house);
    await takeAll(desk, { ...week, startTime: '09:00', endTime: '12:00' });
    await addLesson(desk, weekly({ recurringEndDate: '2026-11-24' }));
    expect(await diary(desk)).toContain('2026-11-24 16:00 scheduled');
  });

  test('and moved onto it skips it as well', async () => {
    const desk = await openDesk(house);
    const { lessonId, sessionId } = await addLesson(desk, weekly());
    await take(desk, { fromDate: '2026-11-26', toDate: '2026-11-26' });
    const body: LessonChange = {
      ...(lessonBody(desk, weekly({ recurringEndDate: '2026-12-17' })) as LessonChange),
      date: '2026-11-19',
      scope: 'all',
      sessionId,
    };
    const saved = await desk.browser.call(lessons.updateLesson, { params: { id: lessonId }, body });
    expect(saved.status).toBe(200);
    expect((await diary(desk)).slice(0, 3)).toEqual([
      '2026-11-19 16:00 scheduled',
      '2026-11-26 16:00 cancelled',
      '2026-12-03 16:00 scheduled',
    ]);
  });

  test('does not touch a single lesson that the tutor puts there on purpose', async () => {
    const desk = await openDesk(house);
    await takeAll(desk);
    await addLesson(desk, { date: '2026-11-25' });
    expect(await diary(desk)).toEqual(['2026-11-25 16:00 scheduled']);
  });
});

describe('taking the time off back', () => {
  test('brings back what it cancelled', async () => {
    const desk = await openDesk(house);
    await addLesson(desk, weekly());
    const id = await takeAll(desk);
    const answer = await remove(desk, id, 'true');
    expect(answer.body).toMatchObject({ restored: 1, overlaps: [] });
    expect(await diary(desk)).toContain('2026-11-24 16:00 scheduled');
    expect(await list(desk)).toEqual([]);
    const [row] = await rowsBetween(desk, '2026-11-24', '2026-11-24');
    const { body } = await desk.browser.call(sessions.session, { params: { id: row?.id ?? 0 } });
    expect(body).toMatchObject({ cancelledBy: null, cancelReason: null });
  });

  test.each([undefined, 'false'] as const)(
    'with restore %s leaves it cancelled',
    async (restore) => {
      const desk = await openDesk(house);
      await addLesson(desk, weekly());
      const id = await takeAll(desk);
      expect((await remove(desk, id, restore)).body).toEqual({
        restored: 0,
        sessionIds: [],
        overlaps: [],
      });
      expect(await diary(desk)).toContain('2026-11-24 16:00 cancelled');
      expect(await list(desk)).toEqual([]);
    },
  );

  test('never asks twice: what overlaps by now comes back and is said', async () => {
    const desk = await openDesk(house);
    await addLesson(desk, weekly());
    const id = await takeAll(desk);
    const move = await addLesson(desk, { date: '2026-12-02', title: 'Noah - Art' });
    const moved = await desk.browser.call(sessions.rescheduleSession, {
      params: { id: move.sessionId },
      body: { date: '2026-11-24', startTime: '16:30', endTime: '17:30' },
    });
    const answer = await remove(desk, id, 'true');
    expect(answer.body).toMatchObject({
      restored: 1,
      overlaps: [
        {
          date: '2026-11-24',
          startTime: '16:00',
          withSessionId: moved.body.id,
          withTitle: 'Noah - Art',
        },
      ],
    });
    expect(await diary(desk, '2026-11-24', '2026-11-24')).toEqual([
      '2026-11-24 16:00 scheduled',
      '2026-11-24 16:30 scheduled',
    ]);
  });

  test('brings back nothing that was cancelled for another reason', async () => {
    const desk = await openDesk(house);
    await addLesson(desk, weekly());
    const other = await addLesson(desk, { date: '2026-11-25' });
    await desk.browser.call(sessions.cancelSession, {
      params: { id: other.sessionId },
      body: { cancelledBy: 'carer' },
    });
    const id = await takeAll(desk);
    expect((await remove(desk, id, 'true')).body.restored).toBe(1);
    expect(await diary(desk)).toContain('2026-11-25 16:00 cancelled');
  });

  test('brings back nothing of a lesson that was deleted in the meantime', async () => {
    const desk = await openDesk(house);
    const { lessonId, sessionId } = await addLesson(desk, weekly());
    const id = await takeAll(desk);
    await desk.browser.call(lessons.deleteLesson, {
      params: { id: lessonId },
      query: { scope: 'all', sessionId },
    });
    expect((await remove(desk, id, 'true')).body).toEqual({
      restored: 0,
      sessionIds: [],
      overlaps: [],
    });
    expect(await diary(desk)).toEqual([]);
  });

  test('brings back nothing of a student who left in the meantime', async () => {
    const desk = await openDesk(house);
    await addLesson(desk, weekly());
    const id = await takeAll(desk);
    await desk.browser.call(students.deleteStudent, { params: { id: desk.studentId } });
    expect((await remove(desk, id, 'true')).body).toEqual({
      restored: 0,
      sessionIds: [],
      overlaps: [],
    });
    expect(await diary(desk)).toEqual([]);
  });

  test('brings back nothing that another time off still covers', async () => {
    const desk = await openDesk(house);
    await addLesson(desk, weekly());
    const id = await takeAll(desk);
    await take(desk, { fromDate: '2026-11-24', toDate: '2026-11-24', reason: 'Dentist' });
    expect((await remove(desk, id, 'true')).body.restored).toBe(0);
    expect(await diary(desk)).toContain('2026-11-24 16:00 cancelled');
  });

  test('that is not in the book is a 404', async () => {
    const desk = await openDesk(house);
    const answer = await remove(desk, 7, 'true');
    expect(answer.status).toBe(404);
    expect(answer.error.message).toBe('That time off is not in your book.');
  });
});
