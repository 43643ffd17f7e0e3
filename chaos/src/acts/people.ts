import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import type { Pupil, Seat } from '../clients/seat.ts';
import { SET } from '../journal.ts';

export async function addStudent(seat: Seat, stays = false): Promise<Pupil | undefined> {
  const mark = seat.newMark('st');
  const withCarer = seat.random.chance(0.5);
  const carer = { carerName: `Carer ${mark}`, carerEmail: `${mark}@families.example` };
  const outcome = await seat.client.write(
    students.createStudent,
    {
      body: {
        name: mark,
        notes: mark,
        email: `own-${mark}@families.example`,
        ...(withCarer ? carer : {}),
      },
    },
    { mayAbandon: !stays && seat.random.chance(0.2) },
  );
  if (outcome.abandoned) {
    seat.journal.mark('student', mark, 'perhaps');
    return undefined;
  }
  if (outcome.status !== 201) {
    seat.unexplained('a new student', outcome);
    return undefined;
  }
  const { id, carerId, familyId } = outcome.body;
  seat.journal.mark('student', mark, 'once');
  seat.journal.note('students', id, {
    name: mark,
    notes: mark,
    email: `own-${mark}@families.example`,
    carer_id: carerId,
    archived_at: null,
  });
  const pupil = { id, carerId, familyId: familyId ?? 0, mark, stays, opened: false };
  seat.journal.note('families', pupil.familyId, { payment_reference: SET });
  seat.pupils.push(pupil);
  return pupil;
}

export async function changeStudent(seat: Seat): Promise<void> {
  const pupil = seat.pick(seat.pupils);
  if (!pupil) return void (await addStudent(seat));
  const { id, carerId, mark } = pupil;
  const subject = `Page ${seat.random.between(1, 10_000)}`;
  const outcome = await seat.client.write(students.updateStudent, {
    params: { id },
    body: { name: mark, notes: mark, email: `own-${mark}@families.example`, subject, carerId },
  });
  if (outcome.status !== 200) return seat.unexplained('a change of a student', outcome);
  seat.journal.note('students', id, { subject });
}

export async function removeStudent(seat: Seat): Promise<void> {
  const pupil = seat.pick(seat.pupils, ({ stays }) => !stays);
  if (!pupil) return void (await addStudent(seat));
  const outcome = await seat.client.write(students.deleteStudent, { params: { id: pupil.id } });
  const gone = outcome.status === 200 || (outcome.status === 404 && outcome.unsure);
  if (!gone) return seat.unexplained('the removal of a student', outcome);
  seat.pupils.splice(seat.pupils.indexOf(pupil), 1);
  seat.journal.note('students', pupil.id, { archived_at: SET });
}

export async function addSubject(seat: Seat): Promise<void> {
  const mark = seat.newMark('su');
  const outcome = await seat.client.write(
    subjects.createSubject,
    { body: { name: mark, description: mark, defaultFee: 30 } },
    { mayAbandon: seat.random.chance(0.2) },
  );
  if (outcome.abandoned) return seat.journal.mark('subject', mark, 'perhaps');
  if (outcome.status !== 201) return seat.unexplained('a new subject', outcome);
  seat.journal.mark('subject', mark, 'once');
  seat.journal.note('subjects', outcome.body.id, { name: mark, archived_at: null });
  seat.subjects.push({ id: outcome.body.id, mark });
}

export async function changeSubject(seat: Seat): Promise<void> {
  const subject = seat.pick(seat.subjects);
  if (!subject) return addSubject(seat);
  const fee = seat.random.between(10, 90);
  const outcome = await seat.client.write(subjects.updateSubject, {
    params: { id: subject.id },
    body: { name: subject.mark, description: subject.mark, defaultFee: fee },
  });
  if (outcome.status !== 200) return seat.unexplained('a change of a subject', outcome);
  seat.journal.note('subjects', subject.id, { default_fee: fee * 100 });
}

export async function removeSubject(seat: Seat): Promise<void> {
  const subject = seat.pick(seat.subjects);
  if (!subject) return addSubject(seat);
  const outcome = await seat.client.write(subjects.deleteSubject, { params: { id: subject.id } });
  const gone = outcome.status === 200 || (outcome.status === 404 && outcome.unsure);
  if (!gone) return seat.unexplained('the removal of a subject', outcome);
  seat.subjects.splice(seat.subjects.indexOf(subject), 1);
  seat.journal.note('subjects', subject.id, { archived_at: SET });
}
