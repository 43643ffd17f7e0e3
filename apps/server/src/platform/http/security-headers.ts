import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

/** Scripts come from our own files only: nothing inline, nothing from elsewhere. Mantine writes style attributes. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export function addSecurityHeaders(
  fastify: FastifyInstance,
  options: { cookie: { secure: boolean } },
): void {
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // Addresses may hold tokens (pay links, password resets): no other site is told any of them.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    });
    // Whose data it is hangs on the cookie: nobody between us, and no cache of the browser, may keep an answer.
    if (request.url.startsWith('/api/'))
      reply.headers({ 'cache-control': 'private, no-store', vary: 'Cookie' });
    if (options.cookie.secure)
      reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains');
  });
}

/**
 * A request that changes something must come from our own pages. Browsers say where it comes from in Origin or
 * Sec-Fetch-Site; a request that says nothing is refused too, since a cookie might ride on it.
 */
export function assertSameOrigin(request: FastifyRequest, appOrigin: string): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isSameOrigin = origin === undefined ? site === 'same-origin' : origin === appOrigin;
  if (!isSameOrigin) throw new AppError('forbidden', 'This request did not come from Lessonbook.');
}
