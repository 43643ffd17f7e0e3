import { type DayChangeInput, dayChanges } from '@lessonbook/contract/move-online-or-cancel-days';
import { sessions } from '@lessonbook/contract/sessions';
import { createStudent, createSubject } from './create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from './create-tutor.ts';
import { addLesson, type LessonFixture, weekly } from './lesson-fixture.ts';
import type { TestApp } from './test-app.ts';
import { waitUntilMessagesProcessed } from './wait-until-messages-processed.ts';

export const LINK = 'https://meet.example/ada';
let count = 0;

/** Maya and Leo Hale, who share a carer, Sam Reid, and Ida Lund, whose carer has no email address. Lessons on Tuesdays. */
export async function createDayFixture(app: TestApp) {
  count += 1;
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const tutorId = await findTutorId(app, input);
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const ruth = `ruth${count}@snow.example`;
  const tom = `tom${count}@snow.example`;
  const maya = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: ruth,
  });
  const leo = await createStudent(browser, { name: 'Leo Hale', carerId: maya.carerId });
  const sam = await createStudent(browser, {
    name: 'Sam Reid',
    carerName: 'Tom Reid',
    carerEmail: tom,
  });
  const ida = await createStudent(browser, { name: 'Ida Lund', carerName: 'Eva Lund' });
  const fixture: LessonFixture = { browser, studentId: maya.id, subjectId: subject.id };
  const lesson = async (studentId: number, hour: number) =>
    (
      await addLesson(fixture, {
        ...weekly(),
        studentId,
        startTime: `${hour}:00`,
        endTime: `${hour + 1}:00`,
        place: 'At Ada’s',
      })
    ).sessionId;
  const ids = {
    maya: await lesson(maya.id, 15),
    leo: await lesson(leo.id, 16),
    sam: await lesson(sam.id, 17),
    ida: await lesson(ida.id, 18),
  };
  const change = (
    action: 'online' | 'cancel',
    sessionIds: number[],
    rest: Partial<DayChangeInput> = {},
  ) =>
    browser.call(dayChanges.changeDays, {
      body: {
        action,
        fromDate: '2026-11-17',
        toDate: '2026-11-17',
        sessionIds,
        ...(action === 'online' && { link: LINK }),
        ...rest,
      },
    });
  const emailsTo = async (address: string) => {
    await waitUntilMessagesProcessed(browser);
    return app.mailbox.emails().filter(({ to }) => to.includes(address));
  };
  const read = async (id: number) =>
    (await browser.call(sessions.session, { params: { id } })).body;
  return {
    browser,
    tutorId,
    fixture,
    subject,
    ids,
    ruth,
    tom,
    students: { maya, leo, sam, ida },
    change,
    emailsTo,
    read,
  };
}
