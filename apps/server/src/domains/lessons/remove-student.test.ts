import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newStudent, newSubject } from '../../test/book.ts';
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

const leave = (desk: Desk, id = desk.studentId) =>
  desk.browser.call(students.deleteStudent, { params: { id } });
const read = async (desk: Desk, id: number) =>
  (await desk.browser.call(sessions.session, { params: { id } })).body;
const complete = (desk: Desk, id: number) =>
  desk.browser.call(sessions.completeSession, { params: { id }, body: {} });

describe('a student who leaves', () => {
  test('[API-26] takes the lessons to come along, free; what is past stays, with the name', async () => {
    const desk = await openDesk(house);
    const taught = await addLesson(desk, { date: '2026-11-03' });
    await complete(desk, taught.sessionId);
    const due = await addLesson(desk, { date: '2026-11-10' });
    const { sessionId } = await addLesson(desk, weekly());
    expect((await leave(desk)).status).toBe(200);
    expect(await diary(desk)).toEqual(['2026-11-03 16:00 completed', '2026-11-10 16:00 scheduled']);
    expect(await read(desk, sessionId)).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'tutor',
      charged: null,
      studentName: 'Maya Okafor',
    });
    expect(await read(desk, taught.sessionId)).toMatchObject({
      status: 'completed',
      charged: 3500,
      outstanding: 3500,
      studentName: 'Maya Okafor',
    });
    const ticked = await complete(desk, due.sessionId);
    expect(ticked.body).toMatchObject({ status: 'completed', charged: 3500 });
  });

  test('[API-26] the lessons are gone from the lists, and no new one can be written', async () => {
    const desk = await openDesk(house);
    const { lessonId } = await addLesson(desk, weekly());
    await leave(desk);
    expect((await desk.browser.call(lessons.listLessons)).body).toEqual([]);
    expect((await desk.browser.call(lessons.lesson, { params: { id: lessonId } })).status).toBe(
      404,
    );
    const refused = await desk.browser.call(lessons.createLesson, { body: lessonBody(desk) });
    expect(refused.status).toBe(404);
    expect(refused.error.message).toBe('That student is not in your book.');
  });

  test('frees the time for others', async () => {
    const desk = await openDesk(house);
    const noah = await newStudent(desk.browser, { name: 'Noah' });
    await addLesson(desk, weekly());
    await leave(desk);
    await addLesson(desk, { ...weekly(), studentId: noah.id });
    expect(await diary(desk)).toHaveLength(5);
  });

  test('leaves the lessons of others alone', async () => {
    const desk = await openDesk(house);
    const noah = await newStudent(desk.browser, { name: 'Noah' });
    await addLesson(desk, { ...weekly(), studentId: noah.id });
    await addLesson(desk, { date: '2026-11-20' });
    const [first] = await rowsBetween(desk, '2026-11-17', '2026-11-17');
    await leave(desk);
    expect(await rowsBetween(desk, '2026-11-17', '2026-11-17')).toEqual([first]);
    expect(await diary(desk)).toHaveLength(5);
  });

  /** The lesson is Maya's; on 24 November Noah comes in her place. */
  async function swapped(): Promise<{ desk: Desk; noah: number; sessionId: number }> {
    const desk = await openDesk(house);
    const noah = await newStudent(desk.browser, { name: 'Noah' });
    const { lessonId } = await addLesson(desk, weekly());
    const [row] = await rowsBetween(desk, '2026-11-24', '2026-11-24');
    const sessionId = row?.id ?? 0;
    const saved = await desk.browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body: {
        ...lessonBody(desk, weekly()),
        studentId: noah.id,
        date: '2026-11-24',
        scope: 'this',
        sessionId,
      },
    });
    expect(saved.status).toBe(200);
    return { desk, noah: noah.id, sessionId };
  }

  test("takes along a single session in another student's lesson", async () => {
    const { desk, noah, sessionId } = await swapped();
    await leave(desk, noah);
    expect(await read(desk, sessionId)).toMatchObject({ status: 'cancelled', studentName: 'Noah' });
    expect((await diary(desk)).filter((line) => line.endsWith('scheduled'))).toHaveLength(4);
  });

  test('does not take along a single session that another student has in the lesson', async () => {
    const { desk, sessionId } = await swapped();
    await leave(desk);
    expect(await read(desk, sessionId)).toMatchObject({ status: 'scheduled', studentName: 'Noah' });
  });

  test('a late cancellation that was charged stays in the day where it was', async () => {
    const desk = await openDesk(house);
    const { sessionId } = await addLesson(desk, { date: '2026-11-10' });
    await desk.browser.call(sessions.cancelSession, {
      params: { id: sessionId },
      body: { cancelledBy: 'carer', chargeFee: true },
    });
    await leave(desk);
    expect(await rowsBetween(desk, '2026-11-10', '2026-11-10')).toMatchObject([
      { id: sessionId, status: 'cancelled', outstanding: 3500 },
    ]);
  });
});

describe('a subject that is removed', () => {
  test('[API-33] is still named on its sessions and lessons, which go on', async () => {
    const desk = await openDesk(house);
    const { lessonId, sessionId } = await addLesson(desk, weekly());
    await complete(desk, sessionId);
    const gone = await desk.browser.call(subjects.deleteSubject, {
      params: { id: desk.subjectId },
    });
    expect(gone.status).toBe(200);
    const rows = await rowsBetween(desk, '2026-11-01', '2026-12-31');
    expect(rows.map((row) => [row.status, row.subjectName])).toEqual([
      ['completed', 'Maths'],
      ...Array.from({ length: 4 }, () => ['scheduled', 'Maths']),
    ]);
    const { body } = await desk.browser.call(lessons.lesson, { params: { id: lessonId } });
    expect(body).toMatchObject({ subjectName: 'Maths', money: [{ charged: 3500 }] });
  });

  test('takes no new lesson, but a lesson that has it can still be changed', async () => {
    const desk = await openDesk(house);
    const { lessonId, sessionId } = await addLesson(desk);
    await desk.browser.call(subjects.deleteSubject, { params: { id: desk.subjectId } });
    const refused = await desk.browser.call(lessons.createLesson, {
      body: lessonBody(desk, { date: '2026-11-20' }),
    });
    expect(refused.status).toBe(404);
    expect(refused.error.message).toBe('That subject is not in your book.');
    const change = (subjectId: number) =>
      desk.browser.call(lessons.updateLesson, {
        params: { id: lessonId },
        body: { ...lessonBody(desk, { subjectId, fee: 40 }), scope: 'this', sessionId },
      });
    expect((await change(desk.subjectId)).status).toBe(200);
    expect(await read(desk, sessionId)).toMatchObject({ fee: 40, subjectName: 'Maths' });
    const art = await newSubject(desk.browser, { name: 'Art' });
    expect((await change(art.id)).status).toBe(200);
    expect((await change(desk.subjectId)).status).toBe(404);
  });
});
