import { waitUntil } from '@lessonbook/test-env/wait-until';
import { vi } from 'vitest';
import type { Database } from '../platform/db/database.ts';

/**
 * Holds the tutor's lock until every request is waiting for it, so that anything they read before taking the lock may be
 * out of date. `beforeRelease` runs while they wait. Returns the responses in the order of the requests.
 */
export async function sendWhileLocked<T>(
  db: Database,
  tutorId: string,
  requests: readonly (() => Promise<T>)[],
  beforeRelease: () => Promise<void> = async () => undefined,
): Promise<T[]> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holder = db.tutorTransaction(tutorId, async (tx) => {
    await tx.selectFrom('tutors').select('revision').execute();
    held.resolve();
    await released.promise;
  });
  await held.promise;
  const transactions = vi.spyOn(db, 'tutorTransaction');
  const responses: Promise<T>[] = [];
  for (const [index, send] of requests.entries()) {
    responses.push(send());
    await waitUntil(
      () => transactions.mock.calls.length > index,
      () => `request ${index + 1} is not waiting for the lock`,
    );
  }
  transactions.mockRestore();
  await beforeRelease();
  released.resolve();
  await holder;
  return Promise.all(responses);
}
