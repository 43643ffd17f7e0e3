import { addDaysToDate, EARLIEST_DATE } from '@lessonbook/contract/dates';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import type { Contact } from '@lessonbook/contract/students';
import type { VirtualUser } from '../virtual-users/virtual-user-state.ts';
import { pickStudent } from './lessons.ts';
import { expectContactsAndPayers } from './students-and-subjects.ts';

/** Adds another contact, with an address to which receipts can be sent. */
async function addContactTo(user: VirtualUser, studentId: number): Promise<Contact | undefined> {
  const marker = user.newMarker('co');
  const outcome = await user.client.write(studentContacts.addContact, {
    params: { id: studentId },
    body: { name: marker, email: `${marker}@families.example` },
  });
  const contact =
    outcome.status === 201 ? outcome.body.contacts.find(({ name }) => name === marker) : undefined;
  if (!contact) {
    user.reportUnexplained('adding a contact', outcome);
    return undefined;
  }
  user.expected.expectMarker('contact', marker, 1);
  user.expected.expectRow('contacts', contact.id, { name: marker, erased_at: null });
  expectContactsAndPayers(user, outcome.body);
  return contact;
}

export async function addContact(user: VirtualUser): Promise<void> {
  const student = await pickStudent(user);
  if (student) await addContactTo(user, student.id);
}

/** Picks a student and one of their contacts other than the main one, adding a contact if needed. */
async function pickOtherContact(user: VirtualUser) {
  const student = await pickStudent(user);
  if (!student) return undefined;
  const contacts = user.studentDetails.get(student.id)?.contacts ?? [];
  const contact =
    user.pick(contacts, ({ isMain }) => !isMain) ?? (await addContactTo(user, student.id));
  return contact && { studentId: student.id, contact };
}

export async function changeContactAccess(user: VirtualUser): Promise<void> {
  const picked = await pickOtherContact(user);
  if (!picked) return;
  const { studentId, contact } = picked;
  const { id, name, email } = contact;
  const [seesLessons, seesMoney] = [user.random.chance(0.5), user.random.chance(0.5)];
  const outcome = await user.client.write(studentContacts.updateContact, {
    params: { id: studentId, contactId: id },
    body: { name, email, access: { ...contact.access, seesLessons, seesMoney } },
  });
  if (outcome.status !== 200) return user.reportUnexplained('changing a contact', outcome);
  expectContactsAndPayers(user, outcome.body);
}

/** Splits the charges for a student 60 to 40 between two contacts, or makes the main contact the only payer again. */
export async function splitPayers(user: VirtualUser): Promise<void> {
  const picked = await pickOtherContact(user);
  if (!picked) return;
  const { studentId, contact } = picked;
  const contacts = user.studentDetails.get(studentId)?.contacts ?? [];
  const mainId = contacts.find(({ isMain }) => isMain)?.id ?? 0;
  const from = user.random.chance(0.5)
    ? EARLIEST_DATE
    : addDaysToDate(user.context.today, user.random.between(-40, 90));
  const payers = user.random.chance(0.8)
    ? [
        { contactId: mainId, percent: 60 },
        { contactId: contact.id, percent: 40 },
      ]
    : [{ contactId: mainId, percent: 100 }];
  const outcome = await user.client.write(studentContacts.setPayers, {
    params: { id: studentId },
    body: { from, payers },
  });
  if (outcome.status !== 200) return user.reportUnexplained('setting the payers', outcome);
  expectContactsAndPayers(user, outcome.body);
  const current = outcome.body.payers.filter((payer) => payer.from === from);
  if (current.map(({ percent }) => percent).join() !== payers.map(({ percent }) => percent).join())
    user.reportUnexplained('setting the payers, which stored other percentages,', outcome);
}
