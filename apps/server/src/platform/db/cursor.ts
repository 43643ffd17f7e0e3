import { pgClientOf, type Tx } from './database.ts';

const PAGE_SIZE = 500;

/** Streams the rows of a long list in pages. Requires a transaction; only one list can be streamed at a time. */
export async function* streamRows(
  tx: Tx,
  text: string,
  values: readonly unknown[],
): AsyncGenerator<Record<string, unknown>[]> {
  const client = pgClientOf(tx);
  await client.query(`declare long_list no scroll cursor for ${text}`, [...values]);
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(
      `fetch ${PAGE_SIZE} from long_list`,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_SIZE) break;
  }
  await client.query('close long_list');
}
