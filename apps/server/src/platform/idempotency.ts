import type { Endpoint } from '@lessonbook/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import { sha256 } from './crypto/tokens.ts';
import { compiledQuery } from './db/compiled-query.ts';
import type { Tx } from './db/database.ts';

/** Identifies a request that may be sent twice, by a double click or a retry after a lost response. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: Buffer;
}

export const createIdempotencyKey = (
  key: string,
  endpoint: string,
  request: unknown,
): IdempotencyKey => ({
  key,
  requestHash: sha256(`${endpoint}\n${JSON.stringify(request)}`),
});

const storedReply = compiledQuery((tx, tutorId: string, key: string) =>
  tx
    .selectFrom('idempotency_keys')
    .where('tutor_id', '=', tutorId)
    .where('key', '=', key)
    .select(['request_hash as requestHash', 'reply']),
);

/**
 * Runs `work` once per key. The reply is stored in the same transaction as the change, under the tutor's lock, so a
 * concurrent duplicate waits and then gets the stored reply. If an error is thrown, nothing is stored.
 */
export async function withIdempotency<T>(
  tx: Tx,
  tutorId: string,
  request: IdempotencyKey | null,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  if (request === null) return work();
  const stored = (await tx.executeQuery(storedReply(tx, tutorId, request.key))).rows[0];
  if (stored) {
    if (!stored.requestHash.equals(request.requestHash)) {
      throw new AppError('conflict', 'This key was used for another request.');
    }
    return JSON.parse(stored.reply) as T;
  }
  const reply = await work();
  await tx
    .insertInto('idempotency_keys')
    .values({
      tutor_id: tutorId,
      key: request.key,
      request_hash: request.requestHash,
      reply: JSON.stringify(reply),
      created_at: now,
    })
    .execute();
  return reply;
}

/** Returns null if the endpoint is not idempotent or the request has no key. */
export function parseIdempotencyKey(
  endpoint: Endpoint,
  request: FastifyRequest,
): IdempotencyKey | null {
  const key = request.headers['idempotency-key'];
  if (!endpoint.idempotent || key === undefined) return null;
  if (typeof key !== 'string' || !/^[\w-]{8,200}$/.test(key)) {
    throw new AppError('invalid', 'The Idempotency-Key must be 8 to 200 letters, digits, _ or -.');
  }
  // Keys are separate for each contact: another contact or the tutor may use the same key.
  const owner = request.contact ? `contact ${request.contact.contactId} ` : '';
  return createIdempotencyKey(`${owner}${key}`, `${endpoint.method} ${endpoint.path}`, [
    request.params,
    request.body,
  ]);
}
