import { addDaysToDate } from '@lessonbook/contract/dates';
import { groupLessons } from '@lessonbook/contract/group-lessons';
import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { type Student, students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import type { ApiResponse, Browser } from '@lessonbook/server/src/test/browser-client.ts';

async function unwrap<T>(call: Promise<ApiResponse<T>>): Promise<T> {
  const { status, body, error } = await call;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(error)}`);
  return body;
}

/**
 * Two lessons with three students of different families: a past lesson that one student missed, and a weekly one, in
 * which two seats are cancelled. One of the students has two payers.
 */
export async function seedGroupLessons(
  browser: Browser,
  today: string,
  prefix: string,
): Promise<void> {
  const [subject] = await unwrap(browser.call(subjects.listSubjects));
  const group: Student[] = [];
  for (const name of ['one', 'two', 'three']) {
    const body = { name: `${prefix}group ${name}`, carerName: `${prefix}carer ${name}` };
    group.push(await unwrap(browser.call(students.createStudent, { body })));
  }
  const [first, second, third] = group as [Student, Student, Student];
  await splitPayers(browser, first, prefix);
  const lesson = {
    studentId: first.id,
    students: group.map(({ id }) => ({ studentId: id })),
    subjectId: subject?.id ?? 0,
    title: `${prefix} group`,
    startTime: '12:00',
    endTime: '13:00',
    fee: 20,
    acceptOverlaps: true,
  };
  const past = await unwrap(
    browser.call(lessons.createLesson, { body: { ...lesson, date: addDaysToDate(today, -3) } }),
  );
  await unwrap(
    browser.call(sessions.completeSession, {
      params: { id: past.sessionId ?? 0 },
      body: { students: [{ studentId: second.id, attendance: 'absent', charge: false }] },
    }),
  );
  const weekly = await unwrap(
    browser.call(lessons.createLesson, {
      body: {
        ...lesson,
        date: addDaysToDate(today, 2),
        isRecurring: true,
        recurringPattern: 'weekly',
        recurringEndDate: addDaysToDate(today, 30),
      },
    }),
  );
  const firstSessionId = weekly.sessionId ?? 0;
  for (const [id, studentId] of [
    [firstSessionId, second.id],
    [firstSessionId + 1, third.id],
  ] as const) {
    await unwrap(
      browser.call(groupLessons.cancelSeat, {
        params: { id, studentId },
        body: { cancelledBy: 'carer', reason: `${prefix} is ill`, chargeFee: false },
      }),
    );
  }
}

async function splitPayers(browser: Browser, student: Student, prefix: string): Promise<void> {
  const params = { id: student.id };
  const { contacts } = await unwrap(
    browser.call(studentContacts.addContact, {
      params,
      body: { name: `${prefix}father`, email: `${prefix}father@family.example` },
    }),
  );
  const [main, further] = contacts.map(({ id }) => id);
  await unwrap(
    browser.call(studentContacts.setPayers, {
      params,
      body: {
        from: '1900-01-01',
        payers: [
          { contactId: main ?? 0, percent: 60 },
          { contactId: further ?? 0, percent: 40 },
        ],
      },
    }),
  );
}
