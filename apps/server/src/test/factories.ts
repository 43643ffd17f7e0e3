import { type Student, type StudentInput, students } from '@lessonbook/contract/students';
import { type Subject, type SubjectInput, subjects } from '@lessonbook/contract/subjects';
import type { Browser } from './browser.ts';

/** A subject in the tutor's book. */
export async function newSubject(
  browser: Browser,
  change: Partial<SubjectInput> = {},
): Promise<Subject> {
  const body = { name: 'Maths', defaultFee: 30, ...change };
  const answer = await browser.call(subjects.createSubject, { body });
  if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.error.message}`);
  return answer.body;
}

/** A student in the tutor's book. */
export async function newStudent(
  browser: Browser,
  change: Partial<StudentInput> = {},
): Promise<Student> {
  const answer = await browser.call(students.createStudent, { body: { name: 'Maya', ...change } });
  if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.error.message}`);
  return answer.body;
}
