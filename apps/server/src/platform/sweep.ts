import { ERASED } from '@lessonbook/contract/own-data';
import { sql } from 'kysely';
import type { Tx } from './db.ts';
import type { DB } from './schema.ts';

/** A pattern for PostgreSQL that matches any of these, letter for letter; none when there is nothing to look for. */
export function anyOf(marks: readonly string[]): string | null {
  const escaped = marks.map((mark) => mark.replaceAll(/[^\p{L}\p{N} ]/gu, '\\$&'));
  return escaped.length > 0 ? escaped.join('|') : null;
}

/** Takes a person's name, addresses and numbers out of free text, wherever somebody wrote them down. */
export async function sweep(
  tx: Tx,
  tutorId: string,
  table: keyof DB,
  columns: readonly string[],
  marks: readonly string[],
): Promise<void> {
  const pattern = anyOf(marks);
  if (pattern === null) return;
  for (const column of columns) {
    const text = sql.ref(column);
    await sql`update ${sql.table(table)}
      set ${text} = left(regexp_replace(${text}, ${pattern}, ${ERASED}, 'gi'), greatest(length(${text}), 200))
      where tutor_id = ${tutorId}::uuid and ${text} ~* ${pattern}`.execute(tx);
  }
}
