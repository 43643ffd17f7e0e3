import type { FastifyReply, FastifyRequest } from 'fastify';

export interface CookieValue {
  readonly value: string;
  readonly expiresAt: Date;
}

/** What a browser holds from a login on. */
export interface LoginCookies {
  readonly token: string;
  readonly expiresAt: Date;
  /** Stays when the login ends, so that the browser is known again. */
  readonly device?: CookieValue;
}

export const DEVICE_COOKIE = 'device';

export interface CookieOptions {
  /** Of the login's cookie; those beside it begin with it. */
  readonly name: string;
  readonly secure: boolean;
}

/** Of a cookie beside the login's own. */
const prefixedName = ({ name }: CookieOptions, suffix: string): string => `${name}-${suffix}`;

/** What a browser was given under that name, '' for nothing. */
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

/** Out of reach of scripts and of requests that other sites send; null takes it out of the browser. */
export function writeCookie(
  reply: FastifyReply,
  { secure }: CookieOptions,
  name: string,
  content: CookieValue | null,
): void {
  const flags = { path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
  if (content) void reply.setCookie(name, content.value, { ...flags, expires: content.expiresAt });
  else void reply.clearCookie(name, flags);
}
