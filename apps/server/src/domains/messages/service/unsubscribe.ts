import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Visitor } from '../../../platform/http.ts';
import { readPublicLink } from '../../../platform/public-links.ts';
import type { Limit } from '../../../platform/rate-limit.ts';
import { tutorOf } from '../../accounts/service/profile.ts';
import { messageById } from '../queries/messages.ts';
import { suppress } from '../queries/suppressions.ts';

const stopByNetwork: Limit = { name: 'unsubscribe-network', burst: 30, perSeconds: 600 };

/** No more reminders to the address that the mail went to. Asking twice is as good as once. */
export async function unsubscribe(
  context: Context,
  token: string,
  visitor: Visitor,
): Promise<{ tutorName: string }> {
  await context.limiter.take(stopByNetwork, visitor.network);
  const link = await readPublicLink(context.db, token);
  if (link?.kind !== 'unsubscribe') {
    throw new AppError('not_found', 'This link is not known. Please answer the mail instead.');
  }
  const { tutorId, targetId } = link;
  const now = context.clock.now();
  return context.db.withTutor(tutorId, async (tx) => {
    const message = await messageById(tx, tutorId, targetId).executeTakeFirstOrThrow();
    const { channel, address } = message;
    await suppress(tx, tutorId, { channel, address, reason: 'unsubscribed', now });
    return { tutorName: (await tutorOf(tx, tutorId)).name };
  });
}
