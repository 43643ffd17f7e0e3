import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { deriveToken } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { PageDescription } from '../../../../platform/http/public-page-metadata.ts';
import type { RateLimit } from '../../../../platform/http/rate-limiter.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { readPublicLink } from '../../../../platform/message-link-tokens.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { type MessageRecord, messageById } from '../../queries/messages.ts';

/** One token per tutor and address; the database stores only its hash. */
export const unsubscribeToken = (
  context: { config: { readonly secretKey: Buffer } },
  tutorId: string,
  address: string,
): string =>
  `u_${deriveToken(context.config.secretKey, 'unsubscribe', `${tutorId} ${address.toLowerCase()}`)}`;

const unsubscribeByNetwork: RateLimit = { name: 'unsubscribe-network', burst: 30, perSeconds: 600 };
/** A separate limit, because mail scanners open many links from one network. */
export const unsubscribePageByNetwork: RateLimit = {
  name: 'unsubscribe-page-network',
  burst: 300,
  perSeconds: 600,
};

export const UNSUBSCRIBE_PAGE: PageDescription = {
  title: 'Email reminders',
  description: 'Choose which emails you receive.',
};

/** Used for link previews. */
export async function describeUnsubscribePage(
  context: Context,
  token: string,
  requestContext: Pick<RequestContext, 'network'>,
): Promise<PageDescription> {
  await context.limiter.consume(unsubscribePageByNetwork, requestContext.network);
  const { tutorId } = await findUnsubscribeLink(context, token);
  const { name } = await context.db.tutorSnapshot(tutorId, (tx) => getTutor(tx, tutorId));
  return { ...UNSUBSCRIBE_PAGE, title: `Reminders from ${name}` };
}

export async function findUnsubscribeLink(
  context: Context,
  token: string,
): Promise<{ tutorId: string; targetId: number }> {
  const link = await readPublicLink(context.db, token);
  if (link?.kind !== 'unsubscribe') {
    throw new AppError(
      'not_found',
      "This link doesn't work any more. Please reply to the email instead.",
    );
  }
  return link;
}

/** Finds a message to the recipient by the token in its unsubscribe link. */
export async function withRecipient<T>(
  context: Context,
  token: string,
  requestContext: RequestContext,
  action: (tx: Tx, tutorId: string, message: MessageRecord) => Promise<T>,
): Promise<T> {
  await context.limiter.consume(unsubscribeByNetwork, requestContext.network);
  const { tutorId, targetId } = await findUnsubscribeLink(context, token);
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const message = await messageById(tx, tutorId, targetId).executeTakeFirstOrThrow();
    return action(tx, tutorId, message);
  });
}
