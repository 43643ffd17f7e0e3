import pg from 'pg';
import { copyRows } from '../../bench/src/seed/copy-rows.ts';
import { LARGE_TABLES } from '../../bench/src/seed/large-tables.ts';
import { SMALL_TABLES } from '../../bench/src/seed/small-tables.ts';
import { withoutIndexes } from '../../bench/src/seed/without-indexes.ts';

/** Each tutor has a thousand sessions, which take about 1.25 kB each with their seats, charges, payments and indexes. */
const TUTORS = 2_200;

/** Fills a database with more than 2 GB of benchmark data. */
export async function seedLargeDatabase(superuserUrl: string): Promise<void> {
  const client = new pg.Client(superuserUrl);
  await client.connect();
  try {
    for (const rows of SMALL_TABLES) await copyRows(superuserUrl, rows, TUTORS);
    await withoutIndexes(
      client,
      LARGE_TABLES.map(({ table }) => table),
      async () => {
        for (const rows of LARGE_TABLES) await copyRows(superuserUrl, rows, TUTORS);
      },
    );
    await client.query('vacuum (freeze, analyze)');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
