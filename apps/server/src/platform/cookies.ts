import type { FastifyReply } from 'fastify';

export interface CookieContent {
  readonly value: string;
  readonly expiresAt: Date;
}

export interface CookieOptions {
  /** Of the login's cookie; those beside it begin with it. */
  readonly name: string;
  readonly secure: boolean;
}

/** Of a cookie beside the login's own. */
export const cookieBeside = ({ name }: CookieOptions, word: string): string => `${name}-${word}`;

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
