import type { FastifyReply, FastifyRequest } from 'fastify';

export interface CookieContent {
  readonly value: string;
  readonly expiresAt: Date;
}

/** What a browser holds from a login on. */
export interface LoginCookies {
  readonly token: string;
  readonly expiresAt: Date;
  /** Stays when the login ends, so that the browser is known again. */
  readonly device?: CookieContent;
}

export const DEVICE_COOKIE = 'device';

export interface CookieOptions {
  /** Of the login's cookie; those beside it begin with it. */
  readonly name: string;
  readonly secure: boolean;
}

/** Of a cookie beside the login's own. */
const nameBeside = ({ name }: CookieOptions, word: string): string => `${name}-${word}`;

/** What a browser was given under that name, '' for nothing. */
export const cookieBeside = (
  request: FastifyRequest,
  options: CookieOptions,
  word: string,
): string => request.cookies[nameBeside(options, word)] ?? '';

export const putCookieBeside = (
  reply: FastifyReply,
  options: CookieOptions,
  word: string,
  content: CookieContent | null,
): void => putCookie(reply, options, nameBeside(options, word), content);

/** Out of reach of scripts and of requests that other sites send; null takes it out of the browser. */
export function putCookie(
  reply: FastifyReply,
  { secure }: CookieOptions,
  name: string,
  content: CookieContent | null,
): void {
  const flags = { path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
  if (content) void reply.setCookie(name, content.value, { ...flags, expires: content.expiresAt });
  else void reply.clearCookie(name, flags);
}
