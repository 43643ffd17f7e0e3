import type { FastifyInstance } from 'fastify';
import { isApiRequest } from './decoded-request-path.ts';

/**
 * Scripts may come only from our own files, never inline. Mantine's style attributes require 'unsafe-inline' for
 * styles.
 */
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
      // URLs may contain tokens (payment links, password resets), so they must not be sent to other sites.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    });
    // Responses depend on the cookie, so neither proxies nor browsers may cache them.
    if (isApiRequest(request))
      reply.headers({ 'cache-control': 'private, no-store', vary: 'Cookie' });
    if (options.cookie.secure)
      reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains');
  });
}
