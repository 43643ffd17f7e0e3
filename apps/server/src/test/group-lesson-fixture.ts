import type { InvoicePeriod } from '@lessonbook/contract/invoice-inputs';
import { type InvoiceRow, invoices } from '@lessonbook/contract/invoices';
import type { LessonInput } from '@lessonbook/contract/lessons';
import { lessons } from '@lessonbook/contract/lessons';
import { type Session, type SessionRow, sessions } from '@lessonbook/contract/sessions';
import type { Browser } from './browser-client.ts';
import { createStudent } from './create-student-and-subject.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  type LessonFixture,
} from './lesson-fixture.ts';
import type { TestApp } from './test-app.ts';

export interface GroupMember {
  id: number;
  familyId: number;
}

/** Creates a tutor with three students from three families, who are not in a lesson yet. */
export async function createThreeFamilies(app: TestApp) {
  const { browser, subjectId } = await createTutorWithStudentAndSubject(app);
  const create = async (name: string, carerName: string): Promise<GroupMember> => {
    const { id, familyId } = await createStudent(browser, { name, carerName });
    return { id, familyId: familyId as number };
  };
  const maya = await create('Maya Reid', 'Ruth Reid');
  const sam = await create('Sam Hale', 'Tom Hale');
  const ida = await create('Ida Lund', 'Eva Lund');
  const fixture: LessonFixture = { browser, studentId: maya.id, subjectId };
  return { browser, fixture, maya, sam, ida };
}

/** Creates a group: Maya pays the lesson's standard fee, £31.17; Sam pays £42.29 and Ida £53.41. */
export async function createGroupFixture(app: TestApp, overrides: Partial<LessonInput> = {}) {
  const tutor = await createThreeFamilies(app);
  const { fixture, maya, sam, ida } = tutor;
  const students = [
    { studentId: maya.id },
    { studentId: sam.id, fee: 42.29 },
    { studentId: ida.id, fee: 53.41 },
  ];
  const lesson = await addLesson(fixture, {
    title: 'Year 11 maths',
    fee: 31.17,
    students,
    ...overrides,
  });
  return { ...tutor, ...lesson };
}

export type Group = Awaited<ReturnType<typeof createGroupFixture>>;

export const readSession = async (browser: Browser, id: number): Promise<Session> =>
  (await browser.call(sessions.session, { params: { id } })).body;

export const readLesson = async (browser: Browser, id: number) =>
  (await browser.call(lessons.lesson, { params: { id } })).body;

/** The seats as text, such as "Maya 3117", "Sam cancelled 4229" or "Ida free". */
export const formatSeats = (session: Pick<SessionRow, 'students'>): string[] =>
  session.students.map(({ name, state, fee }) =>
    [name.split(' ')[0], ...(state === 'cancelled' ? [state] : []), fee ?? 'free'].join(' '),
  );

/** The charges for the seats, such as "Maya 3117"; seats without a charge are omitted. */
export const formatCharges = (session: Pick<SessionRow, 'students'>): string[] =>
  session.students.flatMap(({ name, charged }) =>
    charged === null ? [] : [`${name.split(' ')[0]} ${charged}`],
  );

/** Drafts and issues an invoice for each family. */
export async function issueInvoicesForAll(
  browser: Browser,
  period: Partial<InvoicePeriod> = {},
): Promise<InvoiceRow[]> {
  const drafts = await browser.call(invoices.draftAllInvoices, {
    body: { from: '2026-11-01', to: '2026-11-30', includeUpcoming: true, ...period },
  });
  const ids = drafts.body.map(({ id }) => id);
  const issued = await browser.call(invoices.issueInvoices, { body: { ids } });
  if (issued.status !== 200) throw new Error(`${issued.status}: ${issued.error.message}`);
  return issued.body;
}
