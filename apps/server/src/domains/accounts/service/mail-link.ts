import type { Context } from '../../../context.ts';
import { putOnAgenda } from '../../../platform/agenda.ts';
import { AppError } from '../../../platform/app-error.ts';
import { derivedToken, sha256, uuidV7 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { accountMail } from '../jobs.ts';
import {
  insertMailLink,
  openMailLink,
  spendMailLink,
  voidMailLinks,
} from '../queries/mail-links.ts';
import { type LinkPurpose, linkExpiry } from '../rules/lifetimes.ts';
import { TIDY } from './tidy.ts';

/** Makes a link for this address and enqueues its mail, both in the caller's transaction. Older links of the kind end. */
export async function mailNewLink(
  context: Context,
  tx: Tx,
  link: { tutorId: string; purpose: LinkPurpose; email: string },
): Promise<void> {
  const { clock, config, queue } = context;
  const now = clock.now();
  const id = uuidV7(now);
  const token = derivedToken(config.secretKey, link.purpose, id);
  const expiresAt = linkExpiry(link.purpose, now);
  await voidMailLinks(tx, link.tutorId, link.purpose, now);
  await insertMailLink(tx, { ...link, id, tokenHash: sha256(token), now, expiresAt });
  await putOnAgenda(tx, link.tutorId, TIDY, expiresAt);
  await queue.enqueue(tx, accountMail, { linkId: id });
}

/** Spends the link and does `work`, together or not at all. */
export async function withMailLink<T>(
  context: Context,
  purpose: LinkPurpose,
  token: string,
  work: (tx: Tx, link: { tutorId: string; email: string }) => Promise<T>,
): Promise<T> {
  const { db, clock } = context;
  const link = await openMailLink(db.global, purpose, sha256(token), clock.now());
  if (!link) throw expired();
  return db.withTutor(link.tutorId, async (tx) => {
    if (!(await spendMailLink(tx, link.id, clock.now()))) throw expired();
    return work(tx, link);
  });
}

const expired = () => new AppError('link_expired', 'This link has expired or was already used.');
