import { sql } from 'kysely';
import { compiledQuery } from './compiled-query.ts';
import { queryFromSql, type Tx } from './database.ts';

/** Increments the sequence in a batch; `toIds` converts its rows. */
export const incrementSequence = compiledQuery((tx, tutorId: string, kind: string, count: number) =>
  tx
    .insertInto('id_sequences')
    .values({ tutor_id: tutorId, kind, last_id: count })
    .onConflict((conflict) =>
      conflict
        .columns(['tutor_id', 'kind'])
        .doUpdateSet({ last_id: sql`id_sequences.last_id + excluded.last_id` }),
    )
    .returning('last_id as lastId'),
);

/** Like incrementSequence, for several kinds in one statement that returns a row for each. */
export const incrementSequences = compiledQuery(
  (tx, tutorId: string, kinds: readonly string[], counts: readonly number[]) =>
    queryFromSql(
      tx,
      sql<{ kind: string; lastId: number }>`
      insert into id_sequences (tutor_id, kind, last_id)
      select ${tutorId}::uuid, kind, count from unnest(${kinds}::text[], ${counts}::int[]) as increments(kind, count)
      on conflict (tutor_id, kind) do update set last_id = id_sequences.last_id + excluded.last_id
      returning kind, last_id as "lastId"`,
    ),
);

export function toIds(rows: readonly { lastId: number }[], count: number): number[] {
  const [{ lastId }] = rows as [{ lastId: number }];
  return Array.from({ length: count }, (_, index) => lastId - count + 1 + index);
}

/**
 * Returns the next ids of a kind for one tutor, for example students 1, 2 and 3. The caller holds the tutor's lock, so
 * increments never run concurrently. Different tutors have the same ids, so vendors and public pages use a public_id
 * instead.
 */
export async function nextIdsForKind(
  tx: Tx,
  tutorId: string,
  kind: string,
  count = 1,
): Promise<number[]> {
  return toIds((await tx.executeQuery(incrementSequence(tx, tutorId, kind, count))).rows, count);
}
