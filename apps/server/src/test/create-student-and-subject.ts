import { type Student, type StudentInput, students } from '@lessonbook/contract/students';
import { type Subject, type SubjectInput, subjects } from '@lessonbook/contract/subjects';
import type { Browser } from './browser-client.ts';

export async function createSubject(
  browser: Browser,
  overrides: Partial<SubjectInput> = {},
): Promise<Subject> {
  const body = { name: 'Maths', defaultFee: 30, ...overrides };
  const response = await browser.call(subjects.createSubject, { body });
  if (response.status !== 201) throw new Error(`${response.status}: ${response.error.message}`);
  return response.body;
}

export async function createStudent(
  browser: Browser,
  overrides: Partial<StudentInput> = {},
): Promise<Student> {
  const response = await browser.call(students.createStudent, {
    body: { name: 'Maya', ...overrides },
  });
  if (response.status !== 201) throw new Error(`${response.status}: ${response.error.message}`);
  return response.body;
}
