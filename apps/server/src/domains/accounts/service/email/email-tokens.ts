import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { deriveToken, sha256, uuidV7 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { ACCOUNT_EMAIL_JOB } from '../../jobs.ts';
import {
  consumeEmailToken,
  findValidEmailToken,
  insertEmailToken,
  revokeEmailTokens,
} from '../../queries/email-tokens.ts';
import { type EmailTokenPurpose, emailTokenExpiry } from '../../rules/expirations.ts';
import { ACCOUNT_CLEANUP_WORK } from '../deletion/cleanup-expired.ts';

/** Makes a link for this address and enqueues its mail, both in the caller's transaction. Older links of the kind end. */
export async function issueEmailToken(
  context: Context,
  tx: Tx,
  link: { tutorId: string; purpose: EmailTokenPurpose; email: string },
): Promise<void> {
  const { clock, config, queue } = context;
  const now = clock.now();
  const id = uuidV7(now);
  const token = deriveToken(config.secretKey, link.purpose, id);
  const expiresAt = emailTokenExpiry(link.purpose, now);
  await revokeEmailTokens(tx, link.tutorId, link.purpose, now);
  await insertEmailToken(tx, { ...link, id, tokenHash: sha256(token), now, expiresAt });
  await scheduleWork(tx, link.tutorId, ACCOUNT_CLEANUP_WORK, expiresAt);
  await queue.enqueue(tx, ACCOUNT_EMAIL_JOB, { linkId: id });
}

/** Spends the link and does `work`, together or not at all. */
export async function withEmailToken<T>(
  context: Context,
  purpose: EmailTokenPurpose,
  token: string,
  work: (tx: Tx, link: { tutorId: string; email: string }) => Promise<T>,
): Promise<T> {
  const { db, clock } = context;
  const link = await findValidEmailToken(db.global, purpose, sha256(token), clock.now());
  if (!link) throw tokenExpired();
  return db.tutorTransaction(link.tutorId, async (tx) => {
    if (!(await consumeEmailToken(tx, link.id, clock.now()))) throw tokenExpired();
    return work(tx, link);
  });
}

const tokenExpired = () =>
  new AppError('link_expired', 'This link has expired or was already used.');
