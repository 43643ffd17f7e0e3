import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { deriveToken } from '../../../../platform/crypto/tokens.ts';
import type { RateLimit } from '../../../../platform/http/rate-limiter.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { readPublicLink } from '../../../../platform/public-link-store.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { insertAddressReport } from '../../queries/address-reports.ts';
import { messageById } from '../../queries/messages.ts';
import { suppress } from '../../queries/suppressions.ts';

/** Recipients cannot unsubscribe from invoices and receipts. */
export const UNSUBSCRIBABLE_KINDS = new Set(['lesson_reminder', 'payment_reminder']);

/** One token per tutor and address; the database stores only its hash. */
export const unsubscribeToken = (context: Context, tutorId: string, address: string): string =>
  `u_${deriveToken(context.config.secretKey, 'unsubscribe', `${tutorId} ${address.toLowerCase()}`)}`;

const unsubscribeByNetwork: RateLimit = { name: 'unsubscribe-network', burst: 30, perSeconds: 600 };

/** Idempotent. */
export const unsubscribe = (
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<{ tutorName: string }> =>
  suppressRecipient(context, token, requestContext, 'unsubscribed');

/** The email was not meant for the recipient. The tutor can send nothing to the address any more. Idempotent. */
export const reportEmail = (
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<{ tutorName: string }> => suppressRecipient(context, token, requestContext, 'reported');

async function suppressRecipient(
  context: Context,
  token: string,
  requestContext: RequestContext,
  reason: 'unsubscribed' | 'reported',
): Promise<{ tutorName: string }> {
  await context.limiter.consume(unsubscribeByNetwork, requestContext.network);
  const link = await readPublicLink(context.db, token);
  if (link?.kind !== 'unsubscribe') {
    throw new AppError('not_found', 'This link is not known. Please answer the mail instead.');
  }
  const { tutorId, targetId } = link;
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const message = await messageById(tx, tutorId, targetId).executeTakeFirstOrThrow();
    const { channel, address } = message;
    await suppress(tx, tutorId, { channel, address, reason, now });
    if (reason === 'reported') {
      await insertAddressReport(tx, address, now);
      context.log.warn({ tutorId }, 'a recipient reported an email of this tutor');
    }
    return { tutorName: (await getTutor(tx, tutorId)).name };
  });
}
