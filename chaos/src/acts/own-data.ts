import { imports } from '@lessonbook/contract/import';
import { notifications } from '@lessonbook/contract/notifications';
import { ownData } from '@lessonbook/contract/own-data';
import type { Seat } from '../clients/seat.ts';
import { changeStudent } from './people.ts';

export async function importStudents(seat: Seat): Promise<void> {
  const marks = [1, 2, 3].map(() => seat.newMark('im'));
  const text = ['Name,Notes', ...marks.map((mark) => `${mark},${mark}`)].join('\n');
  const outcome = await seat.client.write(imports.importFile, { body: { kind: 'students', text } });
  if (outcome.status !== 201) seat.unexplained('an import', outcome);
  for (const mark of marks) {
    seat.journal.mark('student', mark, outcome.status === 201 ? 'once' : 'never');
  }
}

export async function readInbox(seat: Seat): Promise<void> {
  if (seat.number > 0) return changeStudent(seat);
  const outcome = await seat.client.write(notifications.readNotifications, { body: {} });
  if (outcome.status !== 200) seat.unexplained('reading the inbox', outcome);
}

/** A tutor may ask a few times an hour; one browser asks once. */
export async function askForExport(seat: Seat): Promise<void> {
  if (seat.number > 0 || seat.room.exported) return changeStudent(seat);
  const outcome = await seat.client.write(ownData.askForExport, undefined);
  if (outcome.status !== 202) return seat.unexplained('an export', outcome);
  seat.room.exported = true;
}
