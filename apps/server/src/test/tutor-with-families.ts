import { messages } from '@lessonbook/contract/messages';
import type { Browser } from './browser-client.ts';
import { createStudent, createSubject } from './create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from './create-tutor.ts';
import { addLesson } from './lesson-fixture.ts';
import { createCompletedLesson } from './payment-fixture.ts';
import type { TestApp } from './test-app.ts';

export const NEW_ACCOUNT = { days: 0 };
export const OLDER_ACCOUNT = { days: 8 };

interface Family {
  familyId: number;
  carerId: number;
  studentId: number;
  address: string;
  /** A lesson on Tuesday 17 November at 16:00. */
  sessionId: number;
}

/** A tutor with a family at each address. Each family owes £35 and has a lesson tomorrow. */
export async function createTutorWithFamilies(
  app: TestApp,
  age: { days: number },
  ...addresses: string[]
) {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const tutorId = await findTutorId(app, input);
  await app.admin.query(
    `update tutors set created_at = created_at - make_interval(days => $1) where tutor_id = $2`,
    [age.days, tutorId],
  );
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const families: Family[] = [];
  for (const address of addresses) {
    const carer = { carerName: 'Ruth Hale', carerEmail: address };
    const student = await createStudent(browser, { name: 'Maya Hale', ...carer });
    const fixture = { browser, studentId: student.id, subjectId: subject.id };
    await createCompletedLesson(fixture, student.id, '2026-11-10');
    const { sessionId } = await addLesson(fixture, { acceptOverlaps: true });
    const { familyId, carerId } = student as { familyId: number; carerId: number };
    families.push({ familyId, carerId, studentId: student.id, address, sessionId });
  }
  return { browser, tutorId, families };
}

export const sendPaymentReminder = (browser: Browser, family: { familyId: number } | undefined) =>
  browser.call(messages.sendReminder, {
    body: { familyId: family?.familyId ?? 0, channel: 'email', text: 'Anything at all.' },
  });
