import { messages } from '@lessonbook/contract/messages';
import { sessions } from '@lessonbook/contract/sessions';
import { expect } from 'vitest';
import { createStudent, createSubject } from './create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from './create-tutor.ts';
import { addLesson, type LessonFixture, weekly } from './lesson-fixture.ts';
import type { TestApp } from './test-app.ts';
import { waitUntilMessagesProcessed } from './wait-until-messages-processed.ts';

let familyCount = 0;

export type Slot = readonly [date: string, startTime: string, endTime: string];

export const TUESDAY_4PM: Slot = ['2026-11-17', '16:00', '17:00'];
export const FRIDAY_9AM: Slot = ['2026-11-20', '09:00', '10:00'];
export const SATURDAY_11AM: Slot = ['2026-11-21', '11:00', '12:00'];

/** Maya's weekly lesson, next on Tuesday 17 November at 16:00. Reminders are off, and no message has been sent yet. */
export async function createFamily(app: TestApp) {
  familyCount += 1;
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const tutorId = await findTutorId(app, input);
  const carerEmail = `carer${familyCount}@families.example`;
  const carer = { carerName: 'Ruth Hale', carerEmail, carerPhone: '+447700900123' };
  const maya = await createStudent(browser, { name: 'Maya Hale', ...carer });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: maya.id, subjectId: subject.id };
  const { sessionId } = await addLesson(fixture, weekly());

  const move = async (id: number, [date, startTime, endTime]: Slot) =>
    (
      await browser.call(sessions.rescheduleSession, {
        params: { id },
        body: { date, startTime, endTime },
      })
    ).body.id;
  const cancel = (id: number) =>
    browser.call(sessions.cancelSession, { params: { id }, body: { cancelledBy: 'tutor' } });
  const reopen = (id: number) =>
    browser.call(sessions.reopenSession, { params: { id }, body: { acceptOverlaps: true } });
  const notify = async (id: number, channel: 'email' | 'whatsapp' = 'email') => {
    const response = await browser.call(messages.sendChangeNotice, {
      body: { sessionIds: [id], channel },
    });
    expect(response.status).toBe(201);
    return response.body.messages;
  };
  /** Prevents the periodic job from sending a correction before the test's own notice. */
  const pauseJob = () =>
    app.admin.query(`delete from tenant_schedule where tutor_id = $1 and kind = 'reminders'`, [
      tutorId,
    ]);
  /** Change notices so far, oldest first. */
  const notices = async () =>
    (await waitUntilMessagesProcessed(browser))
      .filter(({ kind }) => kind === 'lesson_change')
      .toReversed();
  const pending = async (id?: number) =>
    (await browser.call(messages.pendingNotices, { query: id ? { sessionId: id } : {} })).body;
  /** The calendar files of the emails to the carer, oldest first. */
  const calendarFiles = async () => {
    await waitUntilMessagesProcessed(browser);
    return app.mailbox
      .emails()
      .filter(({ to }) => to.includes(carerEmail))
      .flatMap(({ attachments }) => attachments.map(({ content }) => content.toString()));
  };
  const family = { browser, tutorId, fixture, sessionId, carerEmail, move, cancel, reopen };
  return { ...family, notify, pauseJob, notices, pending, calendarFiles };
}
