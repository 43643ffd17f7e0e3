import type { Tx } from '../../../platform/db/database.ts';
import { redactTextColumns } from '../../../platform/db/redact-text-columns.ts';
import type { ErasedPerson } from '../../students/service/erase.ts';
import { erasePlaces } from '../queries/day-changes.ts';

export async function eraseFromDayChanges(
  tx: Tx,
  tutorId: string,
  person: ErasedPerson,
): Promise<void> {
  if (person.kind === 'student') await erasePlaces(tx, tutorId, person.id).execute();
  const { identifiers } = person;
  await redactTextColumns(tx, tutorId, 'day_changes', ['link'], identifiers);
  await redactTextColumns(
    tx,
    tutorId,
    'day_change_sessions',
    ['place', 'previous_place'],
    identifiers,
  );
}
