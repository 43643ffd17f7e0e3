import { portal } from '@lessonbook/contract/portal';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import type { ContactAccess } from '@lessonbook/contract/students';
import type { Browser } from './browser-client.ts';
import { createStudent } from './create-student-and-subject.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  type LessonFixture,
} from './lesson-fixture.ts';
import type { TestApp } from './test-app.ts';

let count = 0;

/**
 * A tutor whose portal is open. Ruth is the main contact of Maya and Leo; Tom, from another family, is the main contact of Sam.
 * Maya and Sam have a group lesson tomorrow; Leo has his own lesson the day after. Both lessons have a place.
 */
export async function createPortalFixture(app: TestApp, { email }: { email?: string } = {}) {
  count += 1;
  const ruthEmail = email ?? `ruth${count}@families.example`;
  const tomEmail = `tom${count}@families.example`;
  const { browser, subjectId } = await createTutorWithStudentAndSubject(app);
  const maya = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: ruthEmail,
  });
  const ruthId = maya.carerId as number;
  const leo = await createStudent(browser, { name: 'Leo Hale', carerId: ruthId });
  const sam = await createStudent(browser, {
    name: 'Sam Okafor',
    carerName: 'Tom Okafor',
    carerEmail: tomEmail,
  });
  const fixture: LessonFixture = { browser, studentId: maya.id, subjectId };
  const group = await addLesson(fixture, {
    title: 'Year 11 maths with Sam Okafor',
    place: '12 Canary Lane',
    fee: 31.17,
    students: [{ studentId: maya.id }, { studentId: sam.id, fee: 42.29 }],
  });
  const own = await addLesson(fixture, {
    studentId: leo.id,
    date: '2026-11-18',
    title: 'Leo Hale - Maths',
    place: '7 Linden Road',
    fee: 28.5,
  });
  await browser.call(portalSettings.openPortal);
  const contacts = { ruth: ruthId, tom: sam.carerId as number };
  return { browser, fixture, maya, leo, sam, contacts, group, own, ruthEmail, tomEmail };
}

export const NO_ACCESS: ContactAccess = {
  seesLessons: false,
  seesPlace: false,
  seesNotes: false,
  seesMoney: false,
  mayCancel: false,
  mayRequestMoves: false,
};

/** Adds a second contact to a student with this access. */
export async function addSecondContact(
  browser: Browser,
  studentId: number,
  { email, access }: { email: string; access: Partial<ContactAccess> },
): Promise<number> {
  const added = await browser.call(studentContacts.addContact, {
    params: { id: studentId },
    body: { name: 'Paul Hale', email },
  });
  const contact = added.body.contacts.find((each) => each.email === email);
  const contactId = contact?.id as number;
  await browser.call(studentContacts.updateContact, {
    params: { id: studentId, contactId },
    body: { name: 'Paul Hale', email, access: { ...NO_ACCESS, ...access } },
  });
  return contactId;
}

/** Requests a code and reads it from the email. */
export async function requestCode(app: TestApp, browser: Browser, email: string) {
  const codes = () =>
    app.mailbox
      .emails()
      .filter(({ to, subject }) => to.includes(email) && /^\d{6} is your code/.test(subject));
  const before = codes().length;
  const { body } = await browser.call(portal.requestPortalCode, { body: { address: email } });
  await app.mailbox.waitFor(() => codes().length > before);
  return { requestId: body.requestId, code: codes().at(-1)?.subject.slice(0, 6) ?? '' };
}

/** A new browser that is signed in with this address. */
export async function signInToPortal(app: TestApp, email: string, isSharedDevice = false) {
  const browser = app.browser();
  const body = { ...(await requestCode(app, browser, email)), isSharedDevice };
  const response = await browser.call(portal.signInToPortal, { body });
  if (response.status !== 201) throw new Error(`${response.status}: ${response.error.message}`);
  return { browser, login: response.body };
}
