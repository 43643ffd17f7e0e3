import { invoices } from '@lessonbook/contract/invoices';
import type { Browser } from './browser-client.ts';
import { createStudent, createSubject } from './create-student-and-subject.ts';
import { createCompletedLesson } from './payment-fixture.ts';

interface FamilyToInvoice {
  familyId: number;
  carerId: number;
  studentId: number;
  /** Empty if the family has no email address. */
  email: string;
}

/** Families with one completed lesson of £35 each on the day, and a draft invoice for each. */
export async function createFamiliesWithDrafts(
  browser: Browser,
  emails: readonly string[],
  date = '2026-11-10',
) {
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const families: FamilyToInvoice[] = [];
  for (const [index, email] of emails.entries()) {
    const student = await createStudent(browser, {
      name: `Child ${index}`,
      carerName: `Carer ${index}`,
      ...(email && { carerEmail: email }),
    });
    const fixture = { browser, studentId: student.id, subjectId: subject.id };
    await createCompletedLesson(fixture, student.id, date);
    const { familyId, carerId } = student as { familyId: number; carerId: number };
    families.push({ familyId, carerId, studentId: student.id, email });
  }
  const drafts = await browser.call(invoices.draftAllInvoices, { body: { from: date, to: date } });
  return { families, draftIds: drafts.body.map(({ id }) => id) };
}
