import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/http/rate-limiter.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { readIsDemo } from '../../accounts/service/profile/read-tutor.ts';

const MINUTES = 60;

/** Enough for a page that polls while waiting for a payment, but too few to guess a token. */
export const billByNetwork: RateLimit = {
  name: 'bill-network',
  burst: 300,
  perSeconds: 10 * MINUTES,
};
/** Enough to download a month's invoices one by one. */
const pdfByTutor: RateLimit = { name: 'pdf-tutor', burst: 120, perSeconds: 10 * MINUTES };
const pdfByDemoVisitor: RateLimit = { name: 'pdf-demo', burst: 20, perSeconds: 10 * MINUTES };
export const pdfByLink: RateLimit = { name: 'pdf-link', burst: 20, perSeconds: 10 * MINUTES };
export const claimByLink: RateLimit = { name: 'claim-link', burst: 5, perSeconds: 60 * MINUTES };
/** Lower than for PDF files, because each request calls the card provider. */
export const checkoutByLink: RateLimit = {
  name: 'checkout-link',
  burst: 10,
  perSeconds: 10 * MINUTES,
};

/** Visitors to the demo share one account, so each network has its own limit. */
export async function consumePdfLimit(
  { db, limiter }: Context,
  tutorId: string,
  requestContext: RequestContext,
): Promise<void> {
  if (await readIsDemo(db, tutorId))
    await limiter.consume(pdfByDemoVisitor, requestContext.network);
  else await limiter.consume(pdfByTutor, tutorId);
}
