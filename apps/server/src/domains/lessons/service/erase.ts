import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { redactTextColumns } from '../../../platform/db/redact-text-columns.ts';
import type { ErasedPerson } from '../../students/service/erase.ts';
import { scheduleChanged } from '../events.ts';
import { eraseStudentFromLessons } from '../queries/erase.ts';

/** Publishes scheduleChanged, so that the next calendar sync removes the name. */
export async function eraseFromLessons(
  context: Context,
  tx: Tx,
  tutorId: string,
  person: ErasedPerson,
): Promise<void> {
  if (person.kind === 'student') await eraseStudentFromLessons(tx, tutorId, person.id);
  const { identifiers } = person;
  await redactTextColumns(tx, tutorId, 'lessons', ['title', 'place', 'notes'], identifiers);
  await redactTextColumns(
    tx,
    tutorId,
    'sessions',
    ['title', 'place', 'notes', 'cancel_reason'],
    identifiers,
  );
  await redactTextColumns(tx, tutorId, 'time_off', ['reason'], identifiers);
  await redactTextColumns(tx, tutorId, 'term_calendars', ['name'], identifiers);
  await redactTextColumns(tx, tutorId, 'terms', ['name'], identifiers);
  await context.events.publish(tx, scheduleChanged, { tutorId });
}
