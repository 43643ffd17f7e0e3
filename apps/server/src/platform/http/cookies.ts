// Adds the types for cookies on requests and replies.
import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface CookieValue {
  readonly value: string;
  /** If null, the browser deletes the cookie when it is closed. */
  readonly expiresAt: Date | null;
}

/** The cookies set at login. */
export interface LoginCookies {
  readonly token: string;
  readonly expiresAt: Date;
  /** Kept after logout, so that the browser is recognised at the next login. */
  readonly device?: CookieValue;
}

export const DEVICE_COOKIE_SUFFIX = 'device';
/** A family's login to the portal. */
export const CONTACT_COOKIE_SUFFIX = 'family';

export interface CookieOptions {
  /** The name of the login cookie, and the prefix for the others. */
  readonly name: string;
  readonly secure: boolean;
}

const prefixedName = ({ name }: CookieOptions, suffix: string): string => `${name}-${suffix}`;

/** Returns '' if the cookie is missing. */
export const readPrefixedCookie = (
  request: FastifyRequest,
  options: CookieOptions,
  suffix: string,
): string => request.cookies[prefixedName(options, suffix)] ?? '';

export const setPrefixedCookie = (
  reply: FastifyReply,
  options: CookieOptions,
  suffix: string,
  content: CookieValue | null,
): void => writeCookie(reply, options, prefixedName(options, suffix), content);

/** Passing null deletes the cookie. */
export function writeCookie(
  reply: FastifyReply,
  { secure }: CookieOptions,
  name: string,
  content: CookieValue | null,
): void {
  const flags = { path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
  const expires = content?.expiresAt ? { expires: content.expiresAt } : {};
  if (content) void reply.setCookie(name, content.value, { ...flags, ...expires });
  else void reply.clearCookie(name, flags);
}
