import type pg from 'pg';
import { traceOperation } from '../observability/tracing.ts';

/** Waits for the disk, and for a synchronous standby. */
export const commit = (client: pg.ClientBase): Promise<void> =>
  traceOperation({ kind: 'statement', summary: 'commit' }, async () =>
    assertCommitted(await client.query('COMMIT')),
  );

/** If a statement in a pipeline fails, COMMIT silently becomes ROLLBACK. */
export function assertCommitted(result: pg.QueryResult): void {
  if (result.command !== 'COMMIT') throw new Error('The transaction was rolled back');
}
