import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { audit } from '@lessonbook/contract/audit';
import { families } from '@lessonbook/contract/families';
import {
  type ContactInput,
  studentContacts,
} from '@lessonbook/contract/student-contacts-and-payers';
import { type ContactAccess, students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { assertInvariants } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());
afterEach(() => assertInvariants(app));

const access = (allowed: boolean): ContactAccess => ({
  seesLessons: allowed,
  seesPlace: allowed,
  seesNotes: allowed,
  seesMoney: allowed,
  mayCancel: allowed,
  mayRequestMoves: allowed,
});

async function createMaya() {
  const { browser } = await createTutor(app);
  const maya = await createStudent(browser, { name: 'Maya Hale', carerName: 'Ruth Hale' });
  return { browser, maya, mainId: maya.carerId as number };
}

const addContact = (browser: Browser, id: number, body: object) =>
  browser.call(studentContacts.addContact, { params: { id }, body });

async function addTom(browser: Browser, studentId: number): Promise<number> {
  const response = await addContact(browser, studentId, { name: 'Tom Hale' });
  expect(response.status).toBe(201);
  return response.body.contacts.at(-1)?.id as number;
}

const changeContact = (
  browser: Browser,
  id: number,
  contactId: number,
  body: Partial<ContactInput>,
) =>
  browser.call(studentContacts.updateContact, {
    params: { id, contactId },
    body: { name: 'Tom Hale', access: access(false), ...body },
  });

const removeContact = (browser: Browser, id: number, contactId: number) =>
  browser.call(studentContacts.removeContact, { params: { id, contactId } });

const setPayers = (
  browser: Browser,
  id: number,
  payers: { contactId: number; percent: number }[],
  from = '2026-12-01',
) => browser.call(studentContacts.setPayers, { params: { id }, body: { from, payers } });

const readStudent = async (browser: Browser, id: number) =>
  (await browser.call(students.listStudents)).body.find((student) => student.id === id);

describe('the main contact', () => {
  test('is the carer, may see everything and pays for everything from the start', async () => {
    const { maya, mainId } = await createMaya();
    expect(maya.contacts).toEqual([
      {
        id: mainId,
        name: 'Ruth Hale',
        relationship: null,
        phone: null,
        email: null,
        timeZone: null,
        isMain: true,
        isStudent: false,
        access: access(true),
      },
    ]);
    expect(maya.payers).toEqual([
      { familyId: maya.familyId, contactId: mainId, percent: 100, from: '1900-01-01' },
    ]);
  });

  test('is the student if there is no carer, with the same name, phone and email', async () => {
    const { browser } = await createTutor(app);
    const details = { name: 'Noah Vos', phone: '+447700900001', email: 'noah@example.com' };
    const noah = await createStudent(browser, details);
    expect(noah.carerId).toBeNull();
    expect(noah.contacts).toMatchObject([{ ...details, isMain: true, isStudent: true }]);
    const changed = { name: 'Noah de Vos', phone: null, email: 'nv@example.com' };
    const { body } = await browser.call(students.updateStudent, {
      params: { id: noah.id },
      body: changed,
    });
    expect(body.contacts).toMatchObject([{ ...changed, isStudent: true, access: access(true) }]);
    expect((await browser.call(students.listCarers)).body).toEqual([]);
    const { body: family } = await browser.call(families.family, {
      params: { id: noah.familyId },
    });
    expect(family).toMatchObject({ name: 'Noah de Vos', carerId: null, studentId: noah.id });
  });

  test('keeps all access, whatever is sent', async () => {
    const { browser, maya, mainId } = await createMaya();
    const { body } = await changeContact(browser, maya.id, mainId, { name: 'Ruth Hale' });
    expect(body.contacts[0]?.access).toEqual(access(true));
  });

  test('is replaced together with all payers when another carer is chosen', async () => {
    const { browser, maya, mainId } = await createMaya();
    const tom = await addTom(browser, maya.id);
    await setPayers(browser, maya.id, [
      { contactId: mainId, percent: 60 },
      { contactId: tom, percent: 40 },
    ]);
    const { body } = await browser.call(students.updateStudent, {
      params: { id: maya.id },
      body: { name: 'Maya Hale', carerId: tom },
    });
    expect(body.contacts).toMatchObject([{ id: tom, isMain: true, access: access(true) }]);
    expect(body.payers).toMatchObject([{ contactId: tom, percent: 100, from: '1900-01-01' }]);
  });
});

describe('an additional contact', () => {
  test('may see nothing until the tutor changes it, which is recorded', async () => {
    const { browser, maya } = await createMaya();
    const { body: added } = await addContact(browser, maya.id, {
      name: 'Tom Hale',
      relationship: 'Father',
      phone: '07700 900009',
      email: 'tom@example.com',
      timeZone: 'Asia/Kolkata',
    });
    expect(added.contacts[1]).toMatchObject({
      name: 'Tom Hale',
      relationship: 'Father',
      phone: '+447700900009',
      email: 'tom@example.com',
      timeZone: 'Asia/Kolkata',
      isMain: false,
      isStudent: false,
      access: access(false),
    });
    expect(added).toMatchObject({ carerId: maya.carerId, carerName: 'Ruth Hale' });
    const tom = added.contacts[1]?.id as number;
    const allowed = { ...access(false), seesLessons: true, mayRequestMoves: true };
    const { body } = await changeContact(browser, maya.id, tom, { access: allowed });
    expect(body.contacts[1]).toMatchObject({ id: tom, email: null, access: allowed });
    const { entries } = (await browser.call(audit.listAuditEntries)).body;
    expect(entries[0]?.text).toBe("A contact's permissions were changed.");
  });

  test('is added once for the same idempotency key', async () => {
    const { browser, maya } = await createMaya();
    const send = () =>
      browser.send(
        'POST',
        `/api/students/${maya.id}/contacts`,
        { name: 'Tom Hale' },
        { 'idempotency-key': 'tom-once' },
      );
    await Promise.all([send(), send()]);
    await send();
    expect((await readStudent(browser, maya.id))?.contacts).toHaveLength(2);
  });

  test('can be linked to a sibling, with access of its own', async () => {
    const { browser, maya, mainId } = await createMaya();
    const noah = await createStudent(browser, { name: 'Noah Hale', carerId: mainId });
    const tom = await addTom(browser, maya.id);
    await changeContact(browser, maya.id, tom, { access: access(true) });
    const { body } = await addContact(browser, noah.id, { contactId: tom });
    expect(body.contacts).toMatchObject([{ id: mainId }, { id: tom, access: access(false) }]);
    // Linking again keeps the access.
    const again = await addContact(browser, maya.id, { contactId: tom });
    expect(again.body.contacts[1]?.access).toEqual(access(true));
  });

  test('can be unlinked, unless it is the main contact or a payer', async () => {
    const { browser, maya, mainId } = await createMaya();
    const tom = await addTom(browser, maya.id);
    expect((await removeContact(browser, maya.id, mainId)).status).toBe(409);
    await setPayers(browser, maya.id, [{ contactId: tom, percent: 100 }]);
    const refused = await removeContact(browser, maya.id, tom);
    expect(refused.error).toMatchObject({
      code: 'conflict',
      message: 'This contact pays for lessons. Please change the payers first.',
    });
    await setPayers(browser, maya.id, [{ contactId: mainId, percent: 100 }]);
    const { body } = await removeContact(browser, maya.id, tom);
    expect(body.contacts.map(({ id }) => id)).toEqual([mainId]);
    expect((await removeContact(browser, maya.id, tom)).status).toBe(404);
  });

  test("has the student's details if they are the student", async () => {
    const { browser } = await createTutor(app);
    const noah = await createStudent(browser, { name: 'Noah Vos' });
    const own = noah.contacts[0]?.id as number;
    const refused = await changeContact(browser, noah.id, own, { name: 'Somebody' });
    expect(refused.status).toBe(409);
    const changed = await changeContact(browser, noah.id, own, {
      name: 'Noah Vos',
      timeZone: 'Europe/Paris',
    });
    expect(changed.body.contacts).toMatchObject([{ timeZone: 'Europe/Paris' }]);
    // A student is not a carer of another student.
    const maya = await createStudent(browser, { name: 'Maya', carerName: 'Ruth' });
    expect((await addContact(browser, maya.id, { contactId: own })).status).toBe(404);
    const asCarer = { params: { id: maya.id }, body: { name: 'Maya', carerId: own } };
    expect((await browser.call(students.updateStudent, asCarer)).status).toBe(404);
  });

  test('of two students is listed with both', async () => {
    const { browser, mainId } = await createMaya();
    await createStudent(browser, { name: 'Noah Hale', carerId: mainId });
    const people = await browser.call(privacy.listPeople, { query: { kind: 'carer' } });
    expect(people.body).toMatchObject([{ id: mainId, about: 'Carer of Maya Hale and Noah Hale' }]);
  });

  test('may be the student in addition to a carer, with the access that the tutor allows, and may be the only reader of the notes', async () => {
    const { browser, maya, mainId } = await createMaya();
    const setReaders = (id: number, studentOnly: boolean) =>
      browser.call(studentContacts.setNoteReaders, { params: { id }, body: { studentOnly } });
    expect((await setReaders(maya.id, true)).status).toBe(409);
    const { body: added } = await addContact(browser, maya.id, { isStudent: true });
    const own = added.contacts.find(({ isStudent }) => isStudent);
    expect(own).toMatchObject({ name: 'Maya Hale', isMain: false, access: access(false) });
    const { body: again } = await addContact(browser, maya.id, { isStudent: true });
    expect(again.contacts.map(({ id }) => id)).toEqual([mainId, own?.id]);
    const allowed = { ...access(false), seesNotes: true };
    const { body } = await changeContact(browser, maya.id, own?.id as number, {
      name: 'Maya Hale',
      access: allowed,
    });
    expect(body.contacts[1]?.access).toEqual(allowed);
    expect((await setReaders(maya.id, true)).body.notesForStudentOnly).toBe(true);
    expect((await setReaders(maya.id, true)).body.notesForStudentOnly).toBe(true);
    const { entries } = (await browser.call(audit.listAuditEntries)).body;
    expect(entries.filter(({ action }) => action === 'note_readers_changed')).toHaveLength(1);
    // The notes stay private to the student even if the student loses access.
    await removeContact(browser, maya.id, own?.id as number);
    expect((await readStudent(browser, maya.id))?.notesForStudentOnly).toBe(true);
    expect((await setReaders(maya.id, false)).body.notesForStudentOnly).toBe(false);
    expect((await setReaders(999, true)).status).toBe(404);
  });

  test('can be erased, and the main contact then pays instead', async () => {
    const { browser, maya, mainId } = await createMaya();
    const tom = await addTom(browser, maya.id);
    await setPayers(browser, maya.id, [
      { contactId: mainId, percent: 60 },
      { contactId: tom, percent: 40 },
    ]);
    const people = await browser.call(privacy.listPeople, { query: { kind: 'carer' } });
    expect(people.body).toMatchObject([{ id: mainId }, { id: tom, about: 'Carer of Maya Hale' }]);
    const erased = await browser.call(privacy.erasePerson, {
      body: { kind: 'carer', id: tom, name: 'Tom Hale' },
    });
    expect(erased.status).toBe(200);
    expect(await readStudent(browser, maya.id)).toMatchObject({
      contacts: [{ id: mainId }],
      payers: [{ contactId: mainId, percent: 100, from: '1900-01-01' }],
    });
  });
});

describe('the payers', () => {
  test('change from a given date, and later changes are replaced', async () => {
    const { browser, maya, mainId } = await createMaya();
    const tom = await addTom(browser, maya.id);
    await setPayers(browser, maya.id, [{ contactId: tom, percent: 100 }], '2027-02-01');
    const { body } = await setPayers(browser, maya.id, [
      { contactId: tom, percent: 70 },
      { contactId: mainId, percent: 30 },
    ]);
    expect(body.payers).toMatchObject([
      { contactId: mainId, percent: 100, from: '1900-01-01' },
      { contactId: tom, percent: 70, from: '2026-12-01' },
      { contactId: mainId, percent: 30, from: '2026-12-01' },
    ]);
    const { entries } = (await browser.call(audit.listAuditEntries)).body;
    expect(entries[0]?.text).toBe("A student's payers were changed.");
  });

  test.each([
    ['an empty list', []],
    ['percentages that add up to 99', [60, 39]],
    ['more than four', [20, 20, 20, 20, 20]],
    ['a percentage of 0', [100, 0]],
  ])('with %s are rejected', async (_, percents) => {
    const { browser, maya, mainId } = await createMaya();
    const payers = percents.map((percent, index) => ({ contactId: mainId + index, percent }));
    expect((await setPayers(browser, maya.id, payers)).status).toBe(400);
  });

  test('must be contacts of the student, each listed only once', async () => {
    const { browser, maya, mainId } = await createMaya();
    const other = await createStudent(browser, { name: 'Lena', carerName: 'Piet Vos' });
    const payer = { contactId: other.carerId as number, percent: 100 };
    expect((await setPayers(browser, maya.id, [payer])).status).toBe(400);
    const half = { contactId: mainId, percent: 50 };
    expect((await setPayers(browser, maya.id, [half, half])).status).toBe(400);
    expect((await readStudent(browser, maya.id))?.payers).toEqual(maya.payers);
  });
});

test('another tutor’s students and contacts cannot be read, linked, changed or chosen as payers', async () => {
  const theirs = await createMaya();
  const tom = await addTom(theirs.browser, theirs.maya.id);
  const before = await readStudent(theirs.browser, theirs.maya.id);
  const { browser } = await createTutor(app);
  for (const id of [1, 2]) await createStudent(browser, { name: `Own ${id}`, carerName: 'Own' });
  // Ids beyond the other tutor's, so that theirs are unknown here.
  const mine = await createStudent(browser, { name: 'Mine', carerName: 'My carer' });
  const body = { name: 'Stolen', access: access(true) };
  const unknown = { studentId: 999, contactId: 999 };
  const responses = [
    await addContact(browser, unknown.studentId, { name: 'Stolen' }),
    await addContact(browser, mine.id, { contactId: unknown.contactId }),
    await changeContact(browser, mine.id, tom, body),
    await removeContact(browser, mine.id, tom),
    await removeContact(browser, unknown.studentId, tom),
    await setPayers(browser, unknown.studentId, [{ contactId: tom, percent: 100 }]),
  ];
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  const payer = await setPayers(browser, mine.id, [{ contactId: tom, percent: 100 }]);
  expect(payer.status).toBe(400);
  expect(await readStudent(theirs.browser, theirs.maya.id)).toEqual(before);
});
