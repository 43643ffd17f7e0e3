import type { Endpoint } from '@lessonbook/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

/** Enforces `requires: 'recent-auth'` for every endpoint, so that no handler can forget it. */
export function assertRecentAuth(
  { requires }: Endpoint,
  { isRecentlyAuthenticated }: { isRecentlyAuthenticated: boolean },
): void {
  if (requires === 'recent-auth' && !isRecentlyAuthenticated)
    throw new AppError('confirmation_needed', "Please confirm it's you.");
}

/**
 * CSRF protection: a state-changing request must come from our own pages, according to Origin or Sec-Fetch-Site. A
 * request with neither header is also rejected, because it may carry a cookie.
 */
export function assertSameOrigin(request: FastifyRequest, appOrigin: string): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isSameOrigin = origin === undefined ? site === 'same-origin' : origin === appOrigin;
  if (!isSameOrigin) throw new AppError('forbidden', 'This request did not come from Lessonbook.');
}
