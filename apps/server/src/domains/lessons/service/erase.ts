import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { sweep } from '../../../platform/sweep.ts';
import type { ErasedPerson } from '../../students/service/erase.ts';
import { scheduleChanged } from '../events.ts';
import { eraseStudentFromLessons } from '../queries/erase.ts';

/** Calendars hear of it like of any change, and are written anew without the name. */
export async function eraseFromLessons(
  context: Context,
  tx: Tx,
  tutorId: string,
  person: ErasedPerson,
): Promise<void> {
  if (person.kind === 'student') await eraseStudentFromLessons(tx, tutorId, person.id);
  const { marks } = person;
  await sweep(tx, tutorId, 'lessons', ['title', 'place', 'notes'], marks);
  await sweep(tx, tutorId, 'sessions', ['title', 'place', 'notes', 'cancel_reason'], marks);
  await sweep(tx, tutorId, 'time_off', ['reason'], marks);
  await context.events.publish(tx, scheduleChanged, { tutorId });
}
