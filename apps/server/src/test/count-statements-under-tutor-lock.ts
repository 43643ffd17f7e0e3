import pg from 'pg';

type Query = (...args: unknown[]) => unknown;

/**
 * Runs the work and returns the number of SQL statements in its longest transaction that locked this tutor.
 * Statements of other tutors and of jobs outside such a transaction do not count.
 */
export async function countLockedStatements(
  tutorId: string,
  work: () => Promise<void>,
): Promise<number> {
  const open = new Map<pg.Client, { statements: number; isTutors: boolean }>();
  let longest = 0;
  const original = Reflect.get(pg.Client.prototype, 'query') as Query;
  function countQuery(this: pg.Client, ...args: unknown[]): unknown {
    const [query] = args as [string | { text: string; name?: string; values?: unknown[] }];
    const text = typeof query === 'string' ? query : query.text;
    if (text === 'BEGIN') open.set(this, { statements: 0, isTutors: false });
    const transaction = open.get(this);
    if (transaction) {
      transaction.statements += 1;
      if (typeof query !== 'string' && query.name === 'lock-tutor')
        transaction.isTutors = query.values?.[0] === tutorId;
      if (text === 'COMMIT' && transaction.isTutors)
        longest = Math.max(longest, transaction.statements);
      if (text === 'COMMIT' || text === 'ROLLBACK') open.delete(this);
    }
    return Reflect.apply(original, this, args);
  }
  Reflect.set(pg.Client.prototype, 'query', countQuery);
  try {
    await work();
    return longest;
  } finally {
    Reflect.set(pg.Client.prototype, 'query', original);
  }
}
