import pg from 'pg';

const IN_FAILED_TRANSACTION = '25P02';

type Results<P extends readonly unknown[]> = { -readonly [K in keyof P]: Awaited<P[K]> };

/**
 * Statements of one transaction that do not need each other's answers, in one round trip. They are sent in the order of
 * the list and run in that order, so each sees what those before it did. Waits for all, so that no answer is left on the
 * wire, then throws the failure that caused the others.
 */
export async function pipelineAll<const P extends readonly unknown[]>(
  promises: P,
): Promise<Results<P>> {
  const settled = await Promise.allSettled(promises);
  const failures = settled.filter((outcome) => outcome.status === 'rejected');
  if (failures.length > 0) {
    // Whatever PostgreSQL meets after the first failure it refuses without looking at it.
    const cause = failures.find(({ reason }) => !isAbortedTransactionError(reason)) ?? failures[0];
    throw cause?.reason;
  }
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as Results<P>;
}

const isAbortedTransactionError = (reason: unknown): boolean =>
  reason instanceof pg.DatabaseError && reason.code === IN_FAILED_TRANSACTION;
