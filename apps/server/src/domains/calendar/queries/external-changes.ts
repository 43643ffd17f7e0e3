import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { expectedStudentNames } from './student-names.ts';

export const unresolvedExternalChanges = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('external_changes as c')
    .innerJoin('sessions as s', (join) =>
      join.onRef('s.tutor_id', '=', 'c.tutor_id').onRef('s.id', '=', 'c.session_id'),
    )
    .where('c.tutor_id', '=', tutorId)
    .where('c.outcome', 'is', null)
    .select([
      'c.id',
      'c.session_id as sessionId',
      'c.kind',
      'c.starts_at as startsAt',
      'c.ends_at as endsAt',
      's.status',
      's.date',
      's.start_time as startTime',
      's.end_time as endTime',
      's.title',
      expectedStudentNames('s').as('studentNames'),
    ])
    .orderBy('s.starts_at');

export type ExternalChangeRow = RowOf<ReturnType<typeof unresolvedExternalChanges>>;

export async function insertExternalChange(
  tx: Tx,
  tutorId: string,
  change: {
    id: number;
    sessionId: number;
    kind: 'moved' | 'deleted';
    startsAt: Date | null;
    endsAt: Date | null;
    now: Date;
  },
): Promise<void> {
  await tx
    .insertInto('external_changes')
    .values({
      tutor_id: tutorId,
      id: change.id,
      session_id: change.sessionId,
      kind: change.kind,
      starts_at: change.startsAt,
      ends_at: change.endsAt,
      created_at: change.now,
    })
    .execute();
}

/** Returns true if there was an unresolved change. */
export async function resolveExternalChange(
  tx: Tx,
  tutorId: string,
  target: { id: number } | { sessionId: number },
  outcome: 'accepted' | 'put_back' | 'dropped',
): Promise<boolean> {
  const [column, value] =
    'id' in target ? (['id', target.id] as const) : (['session_id', target.sessionId] as const);
  const resolved = await tx
    .updateTable('external_changes')
    .set({ outcome })
    .where('tutor_id', '=', tutorId)
    .where('outcome', 'is', null)
    .where(column, '=', value)
    .returning('id')
    .executeTakeFirst();
  return resolved !== undefined;
}

export async function dropAllExternalChanges(tx: Tx, tutorId: string): Promise<void> {
  await tx
    .updateTable('external_changes')
    .set({ outcome: 'dropped' })
    .where('tutor_id', '=', tutorId)
    .where('outcome', 'is', null)
    .execute();
}
