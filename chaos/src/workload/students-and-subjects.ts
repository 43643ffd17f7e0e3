import { type Student, students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import { NOT_NULL } from '../expected-state.ts';
import type { TrackedStudent, VirtualUser } from '../virtual-users/virtual-user-state.ts';

/** Expects the contacts and payers of a student as the API returned them. */
export function expectContactsAndPayers(user: VirtualUser, student: Student): void {
  const { id, contacts, payers } = student;
  user.studentDetails.set(id, { contacts, payers });
  user.expected.expectRow('students', id, {
    contacts: contacts
      .toSorted((a, b) => a.id - b.id)
      .map(({ id: contactId, access }) => `${contactId} ${access.seesLessons} ${access.seesMoney}`)
      .join(', '),
    payers: payers
      .map(({ from, familyId, percent }) => `${from} ${familyId} ${percent}`)
      .join(', '),
  });
}

export const carerEmail = (marker: string): string => `${marker}@families.example`;

export async function addStudent(
  user: VirtualUser,
  isPermanent = false,
  withCarer = user.random.chance(0.5),
): Promise<TrackedStudent | undefined> {
  const marker = user.newMarker('st');
  const carer = { carerName: `Carer ${marker}`, carerEmail: carerEmail(marker) };
  const outcome = await user.client.write(
    students.createStudent,
    {
      body: {
        name: marker,
        notes: marker,
        email: `own-${marker}@families.example`,
        ...(withCarer ? carer : {}),
      },
    },
    { mayAbandon: !isPermanent && user.random.chance(0.2) },
  );
  if (outcome.abandoned) {
    user.expected.expectMarker('student', marker, 'unknown');
    return undefined;
  }
  if (outcome.status !== 201) {
    user.reportUnexplained('creating a student', outcome);
    return undefined;
  }
  const { id, carerId, familyId, contacts } = outcome.body;
  user.expected.expectMarker('student', marker, 1);
  user.expected.expectRow('students', id, {
    name: marker,
    notes: marker,
    email: `own-${marker}@families.example`,
    contact_id: contacts.find(({ isMain }) => isMain)?.id ?? null,
    archived_at: null,
  });
  const student: TrackedStudent = {
    id,
    carerId,
    familyId: familyId ?? 0,
    marker,
    isPermanent,
    hasOpeningBalance: false,
  };
  user.expected.expectRow('families', student.familyId, { payment_reference: NOT_NULL });
  expectContactsAndPayers(user, outcome.body);
  user.students.push(student);
  return student;
}

export async function changeStudent(user: VirtualUser): Promise<void> {
  const student = user.pick(user.students);
  if (!student) return void (await addStudent(user));
  const { id, carerId, marker } = student;
  const subject = `Page ${user.random.between(1, 10_000)}`;
  const outcome = await user.client.write(students.updateStudent, {
    params: { id },
    body: {
      name: marker,
      notes: marker,
      email: `own-${marker}@families.example`,
      subject,
      carerId,
    },
  });
  if (outcome.status !== 200) return user.reportUnexplained('updating a student', outcome);
  user.expected.expectRow('students', id, { subject });
}

export async function removeStudent(user: VirtualUser): Promise<void> {
  const student = user.pick(user.students, ({ isPermanent }) => !isPermanent);
  if (!student) return void (await addStudent(user));
  const outcome = await user.client.write(students.deleteStudent, { params: { id: student.id } });
  const isDeleted = outcome.status === 200 || (outcome.status === 404 && outcome.outcomeUnknown);
  if (!isDeleted) return user.reportUnexplained('deleting a student', outcome);
  user.students.splice(user.students.indexOf(student), 1);
  user.expected.expectRow('students', student.id, { archived_at: NOT_NULL });
}

export async function addSubject(user: VirtualUser): Promise<void> {
  const marker = user.newMarker('su');
  const outcome = await user.client.write(
    subjects.createSubject,
    { body: { name: marker, description: marker, defaultFee: 30 } },
    { mayAbandon: user.random.chance(0.2) },
  );
  if (outcome.abandoned) return user.expected.expectMarker('subject', marker, 'unknown');
  if (outcome.status !== 201) return user.reportUnexplained('creating a subject', outcome);
  user.expected.expectMarker('subject', marker, 1);
  user.expected.expectRow('subjects', outcome.body.id, { name: marker, archived_at: null });
  user.subjects.push({ id: outcome.body.id, marker });
}

export async function changeSubject(user: VirtualUser): Promise<void> {
  const subject = user.pick(user.subjects);
  if (!subject) return addSubject(user);
  const fee = user.random.between(10, 90);
  const outcome = await user.client.write(subjects.updateSubject, {
    params: { id: subject.id },
    body: { name: subject.marker, description: subject.marker, defaultFee: fee },
  });
  if (outcome.status !== 200) return user.reportUnexplained('updating a subject', outcome);
  user.expected.expectRow('subjects', subject.id, { default_fee: fee * 100 });
}

export async function removeSubject(user: VirtualUser): Promise<void> {
  const subject = user.pick(user.subjects);
  if (!subject) return addSubject(user);
  const outcome = await user.client.write(subjects.deleteSubject, { params: { id: subject.id } });
  const isDeleted = outcome.status === 200 || (outcome.status === 404 && outcome.outcomeUnknown);
  if (!isDeleted) return user.reportUnexplained('deleting a subject', outcome);
  user.subjects.splice(user.subjects.indexOf(subject), 1);
  user.expected.expectRow('subjects', subject.id, { archived_at: NOT_NULL });
}
