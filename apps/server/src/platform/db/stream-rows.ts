import { pgClientOf, type Tx } from './database.ts';

const PAGE_SIZE = 500;

/** Streams the rows of a large result in pages. Requires a transaction; only one result can be streamed at a time. */
export async function* streamRows(
  tx: Tx,
  query: string,
  values: readonly unknown[],
): AsyncGenerator<Record<string, unknown>[]> {
  const client = pgClientOf(tx);
  await client.query(`declare row_cursor no scroll cursor for ${query}`, [...values]);
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(
      `fetch ${PAGE_SIZE} from row_cursor`,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_SIZE) break;
  }
  await client.query('close row_cursor');
}
