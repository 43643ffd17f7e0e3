import { addDaysToDate } from '@lessonbook/contract/dates';
import { firstName } from '@lessonbook/contract/first-name';
import { OFFLINE_DAYS, type OfflineSnapshot } from '@lessonbook/contract/offline-snapshot';
import type { Context } from '../../../context.ts';
import { readUser } from '../../accounts/service/profile/read-tutor.ts';
import { listSessions } from '../../lessons/service/read.ts';
import { listAllFamilies } from '../../payments/service/families.ts';

/**
 * Returns the data that a device may store. The revision is read first, so after a concurrent change the browser
 * fetches the snapshot again instead of keeping an outdated one.
 */
export async function readOfflineSnapshot(
  context: Context,
  tutorId: string,
): Promise<OfflineSnapshot> {
  const { id, revision, timeZone, today } = await readUser(context, tutorId);
  const to = addDaysToDate(today, OFFLINE_DAYS - 1);
  const [rows, families] = await Promise.all([
    listSessions(context, tutorId, today, to),
    listAllFamilies(context, tutorId),
  ]);
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
