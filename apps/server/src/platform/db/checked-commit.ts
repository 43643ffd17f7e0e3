import type pg from 'pg';
import { traceOperation } from '../observability/tracing.ts';

/** Resolves once the commit is on disk, and on the synchronous standby if there is one. */
export const commit = (client: pg.ClientBase): Promise<void> =>
  traceOperation({ kind: 'statement', summary: 'commit' }, async () =>
    assertCommitted(await client.query('COMMIT')),
  );

/** If a statement in a pipeline fails, COMMIT silently becomes ROLLBACK. */
export function assertCommitted(result: pg.QueryResult): void {
  if (result.command !== 'COMMIT') throw new Error('The transaction was rolled back');
}
