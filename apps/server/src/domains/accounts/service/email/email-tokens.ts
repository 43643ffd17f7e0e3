import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { deriveToken, sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { uuidV7 } from '../../../../platform/db/uuid.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import {
  ACCOUNT_CLEANUP_WORK,
  ACCOUNT_EMAIL_JOB,
  SHORT_LIVED_LINK_EMAIL_JOB,
} from '../../job-types.ts';
import {
  consumeEmailToken,
  findValidEmailToken,
  insertEmailToken,
  revokeEmailTokens,
} from '../../queries/email-tokens.ts';
import { type EmailTokenPurpose, emailTokenExpiry } from '../../rules/expirations.ts';

const EMAIL_JOBS = {
  'verify-email': ACCOUNT_EMAIL_JOB,
  'reset-password': SHORT_LIVED_LINK_EMAIL_JOB,
  'revert-email': ACCOUNT_EMAIL_JOB,
  'remove-two-step': SHORT_LIVED_LINK_EMAIL_JOB,
  'keep-two-step': ACCOUNT_EMAIL_JOB,
} satisfies Record<EmailTokenPurpose, unknown>;

/**
 * Creates a token and enqueues its email in the caller's transaction. Revokes older tokens for the same purpose, except
 * for notices, which go to several addresses. Returns the token.
 */
export async function issueEmailToken(
  context: Context,
  tx: Tx,
  request: { tutorId: string; purpose: EmailTokenPurpose; email: string },
): Promise<string> {
  const { clock, config, queue } = context;
  const now = clock.now();
  const id = uuidV7(now);
  const token = deriveToken(config.secretKey, request.purpose, id);
  const expiresAt = emailTokenExpiry(request.purpose, now);
  if (request.purpose !== 'keep-two-step')
    await revokeEmailTokens(tx, request.tutorId, request.purpose, now);
  await insertEmailToken(tx, { ...request, id, tokenHash: sha256(token), now, expiresAt });
  await scheduleWork(tx, request.tutorId, ACCOUNT_CLEANUP_WORK, expiresAt);
  await queue.enqueue(tx, EMAIL_JOBS[request.purpose], { tutorId: request.tutorId, tokenId: id });
  return token;
}

/** Consumes the token and runs `work` in one transaction. */
export async function withEmailToken<T>(
  context: Context,
  purpose: EmailTokenPurpose,
  token: string,
  work: (tx: Tx, tokenDetails: { tutorId: string; email: string; createdAt: Date }) => Promise<T>,
): Promise<T> {
  const { db, clock } = context;
  const row = await findValidEmailToken(db.global, purpose, sha256(token), clock.now());
  if (!row) throw tokenExpiredError();
  return db.tutorTransaction(row.tutorId, async (tx) => {
    if (!(await consumeEmailToken(tx, row.id, clock.now()))) throw tokenExpiredError();
    return work(tx, row);
  });
}

export const tokenExpiredError = () =>
  new AppError('link_expired', 'This link has expired or has already been used.');
