import { ERASED_NAME } from '@lessonbook/contract/account-deletion-and-erasure';
import { sql } from 'kysely';
import type { Tx } from './database.ts';
import type { DB } from './schema.ts';

/** Builds a PostgreSQL regular expression that matches any of the terms literally; null if there are none. */
export function toRegexAlternation(terms: readonly string[]): string | null {
  const escaped = terms.map((term) => term.replaceAll(/[^\p{L}\p{N} ]/gu, '\\$&'));
  return escaped.length > 0 ? escaped.join('|') : null;
}

/** Replaces a person's name, addresses and phone numbers in free-text columns. */
export async function redactTextColumns(
  tx: Tx,
  tutorId: string,
  table: keyof DB,
  columns: readonly string[],
  terms: readonly string[],
): Promise<void> {
  const pattern = toRegexAlternation(terms);
  if (pattern === null) return;
  for (const column of columns) {
    const text = sql.ref(column);
    await sql`update ${sql.table(table)}
      set ${text} = left(regexp_replace(${text}, ${pattern}, ${ERASED_NAME}, 'gi'), greatest(length(${text}), 200))
      where tutor_id = ${tutorId}::uuid and ${text} ~* ${pattern}`.execute(tx);
  }
}
