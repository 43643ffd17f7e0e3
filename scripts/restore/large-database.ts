import pg from 'pg';
import { copyInto } from '../../bench/src/seed/copy.ts';
import { withoutIndexes } from '../../bench/src/seed/indexes.ts';
import { LARGE_TABLES, SMALL_TABLES } from '../../bench/src/seed/rows.ts';

/** About 0.8 kB for each session with its charge and the indexes; a tutor has a thousand. */
const TUTORS = 3_400;

/** Fills a database with the books of the bench until it is larger than 2 GB. */
export async function seedLargeDatabase(superuserUrl: string): Promise<void> {
  const client = new pg.Client(superuserUrl);
  await client.connect();
  try {
    for (const rows of SMALL_TABLES) await copyInto(superuserUrl, rows, TUTORS);
    await withoutIndexes(
      client,
      LARGE_TABLES.map(({ table }) => table),
      async () => {
        for (const rows of LARGE_TABLES) await copyInto(superuserUrl, rows, TUTORS);
      },
    );
    await client.query('vacuum (freeze, analyze)');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
