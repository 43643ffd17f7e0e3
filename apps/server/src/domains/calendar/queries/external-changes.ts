import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

export const openExternalChanges = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('external_changes as p')
    .innerJoin('sessions as s', (join) =>
      join.onRef('s.tutor_id', '=', 'p.tutor_id').onRef('s.id', '=', 'p.session_id'),
    )
    .innerJoin('students as st', (join) =>
      join.onRef('st.tutor_id', '=', 's.tutor_id').onRef('st.id', '=', 's.student_id'),
    )
    .where('p.tutor_id', '=', tutorId)
    .where('p.outcome', 'is', null)
    .select([
      'p.id',
      'p.session_id as sessionId',
      'p.kind',
      'p.starts_at as startsAt',
      'p.ends_at as endsAt',
      's.status',
      's.date',
      's.start_time as startTime',
      's.end_time as endTime',
      's.title',
      'st.name as studentName',
    ])
    .orderBy('s.starts_at');

export type ExternalChangeRow = RowOf<ReturnType<typeof openExternalChanges>>;

export async function insertExternalChange(
  tx: Tx,
  tutorId: string,
  proposal: {
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
      id: proposal.id,
      session_id: proposal.sessionId,
      kind: proposal.kind,
      starts_at: proposal.startsAt,
      ends_at: proposal.endsAt,
      created_at: proposal.now,
    })
    .execute();
}

/** Whether there was an open one. */
export async function resolveExternalChange(
  tx: Tx,
  tutorId: string,
  which: { id: number } | { sessionId: number },
  outcome: 'accepted' | 'put_back' | 'dropped',
): Promise<boolean> {
  const [column, value] =
    'id' in which ? (['id', which.id] as const) : (['session_id', which.sessionId] as const);
  const ended = await tx
    .updateTable('external_changes')
    .set({ outcome })
    .where('tutor_id', '=', tutorId)
    .where('outcome', 'is', null)
    .where(column, '=', value)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

export async function dropAllExternalChanges(tx: Tx, tutorId: string): Promise<void> {
  await tx
    .updateTable('external_changes')
    .set({ outcome: 'dropped' })
    .where('tutor_id', '=', tutorId)
    .where('outcome', 'is', null)
    .execute();
}
