import pg from 'pg';

const IN_FAILED_TRANSACTION = '25P02';

type Results<P extends readonly unknown[]> = { -readonly [K in keyof P]: Awaited<P[K]> };

/**
 * Waits for statements that have been sent on one connection. Waits for all of them, so that no result is left on the
 * connection, then throws the failure that caused the others. Transactions use `executeBatch`.
 */
export async function pipelineAll<const P extends readonly unknown[]>(
  promises: P,
): Promise<Results<P>> {
  const settled = await Promise.allSettled(promises);
  const failures = settled.filter((outcome) => outcome.status === 'rejected');
  if (failures.length > 0) {
    // After the first failure, PostgreSQL rejects all later statements with 25P02.
    const cause = failures.find(({ reason }) => !isAbortedTransactionError(reason)) ?? failures[0];
    throw cause?.reason;
  }
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as Results<P>;
}

const isAbortedTransactionError = (reason: unknown): boolean =>
  reason instanceof pg.DatabaseError && reason.code === IN_FAILED_TRANSACTION;
