import { sql } from 'kysely';
import type { Tx } from './db.ts';
import { prepared } from './prepared.ts';

const countOn = prepared((tx, tutorId: string, kind: string, howMany: number) =>
  tx
    .insertInto('id_sequences')
    .values({ tutor_id: tutorId, kind, last_id: howMany })
    .onConflict((conflict) =>
      conflict
        .columns(['tutor_id', 'kind'])
        .doUpdateSet({ last_id: sql`id_sequences.last_id + excluded.last_id` }),
    )
    .returning('last_id'),
);

/**
 * Takes the next ids of a kind for one tutor: the tutor's own student 1, 2, 3. The tutor's lock is held, so no two
 * transactions count at once. Ids repeat between tutors; whatever leaves the database uses a public_id instead.
 */
export async function takeIds(
  tx: Tx,
  tutorId: string,
  kind: string,
  howMany = 1,
): Promise<number[]> {
  const { rows } = await tx.executeQuery(countOn(tx, tutorId, kind, howMany));
  const [{ last_id: last }] = rows as [{ last_id: number }];
  return Array.from({ length: howMany }, (_, index) => last - howMany + 1 + index);
}
