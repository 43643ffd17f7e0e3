import { addDaysToDate } from '@lessonbook/contract/dates';
import { firstName } from '@lessonbook/contract/first-name';
import { OFFLINE_DAYS, type OfflineSnapshot } from '@lessonbook/contract/offline-snapshot';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getUser } from '../../accounts/service/profile/read-tutor.ts';
import { getSessions } from '../../lessons/service/read.ts';
import { getAllFamilies } from '../../payments/service/families.ts';

/** Returns the data that a device may store, with the revision that it belongs to. */
export const readOfflineSnapshot = (context: Context, tutorId: string): Promise<OfflineSnapshot> =>
  context.db.tutorSnapshot(tutorId, (tx) => getOfflineSnapshot(context, tx, tutorId));

async function getOfflineSnapshot(
  context: Context,
  tx: Tx,
  tutorId: string,
): Promise<OfflineSnapshot> {
  const { id, revision, timeZone, today } = await getUser(context, tx, tutorId);
  const to = addDaysToDate(today, OFFLINE_DAYS - 1);
  const rows = await getSessions(tx, tutorId, today, to);
  const families = await getAllFamilies(tx, tutorId);
  return {
    owner: id,
    revision,
    asOf: context.clock.now().toISOString(),
    timeZone,
    from: today,
    to,
    sessions: rows.map((row) => ({
      date: row.date,
      startTime: row.startTime,
      endTime: row.endTime,
      firstName: firstName(row.studentName),
      subject: row.subjectName,
      color: row.subjectColor,
      status: row.status,
    })),
    balances: families
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id)
      .map(({ name, students, balances }) => ({
        firstNames: (students.length > 0 ? students : [name]).map(firstName),
        amounts: balances.filter(({ owed, credit }) => owed > 0 || credit > 0),
      }))
      .filter(({ amounts }) => amounts.length > 0),
  };
}
