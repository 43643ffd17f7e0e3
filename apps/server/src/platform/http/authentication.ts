import type { Endpoint } from '@lessonbook/contract/endpoint';
import type { PortalStudent } from '@lessonbook/contract/portal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { ContactPrincipal } from '../db/set-transaction-principal.ts';
import {
  CONTACT_COOKIE_SUFFIX,
  type CookieOptions,
  DEVICE_COOKIE_SUFFIX,
  type LoginCookies,
  readPrefixedCookie,
  setPrefixedCookie,
  writeCookie,
} from './cookies.ts';

export interface Login {
  readonly tutorId: string;
  readonly tokenHash: Buffer;
  readonly isRecentlyAuthenticated: boolean;
  /** Set if this request extended the login, so that the cookie's expiry is extended too. */
  readonly extendedUntil?: Date;
}

/** A browser that is signed in to the family portal with an address. */
export interface ContactLogin {
  /** The public id. */
  readonly id: string;
  readonly addressHash: Buffer;
  /** An email address, or a phone number in E.164 format. */
  readonly address: string;
  readonly isSharedDevice: boolean;
  /** Set if this request extended the login, so that the cookie's expiry is extended too. */
  readonly extendedUntil?: Date;
}

/** The same person as a contact of one tutor, with what they may see and do. */
export interface Contact extends ContactPrincipal {
  readonly students: readonly PortalStudent[];
}

export interface AuthenticationOptions {
  readonly cookie: CookieOptions;
  readonly findLogin: (token: string) => Promise<Login | null>;
  readonly findContactLogin: (token: string) => Promise<ContactLogin | null>;
  /** Returns null if the person is not the contact with this public id, or may not use that tutor's portal. */
  readonly findContact: (login: ContactLogin, publicId: string) => Promise<Contact | null>;
}

/** Resolves a tutor's login cookie; null if there is no valid login. */
export async function authenticateTutor(
  { cookie, findLogin }: AuthenticationOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Login | null> {
  const token = request.cookies[cookie.name];
  const login = token ? await findLogin(token) : null;
  if (!token || !login) return null;
  if (login.extendedUntil) setLoginCookie(reply, cookie, { token, expiresAt: login.extendedUntil });
  return login;
}

export function setLoginCookie(
  reply: FastifyReply,
  options: CookieOptions,
  login: LoginCookies | null,
): void {
  const content = login && { value: login.token, expiresAt: login.expiresAt };
  writeCookie(reply, options, options.name, content);
  if (login?.device) setPrefixedCookie(reply, options, DEVICE_COOKIE_SUFFIX, login.device);
}

/** Resolves a family's login cookie; null if there is no valid login. */
export async function authenticateContactLogin(
  { cookie, findContactLogin }: Pick<AuthenticationOptions, 'cookie' | 'findContactLogin'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ContactLogin | null> {
  const token = readPrefixedCookie(request, cookie, CONTACT_COOKIE_SUFFIX);
  const login = token === '' ? null : await findContactLogin(token);
  if (login?.extendedUntil)
    setPrefixedCookie(reply, cookie, CONTACT_COOKIE_SUFFIX, {
      value: token,
      expiresAt: login.extendedUntil,
    });
  return login;
}

/** Resolves a family's login cookie and, for an endpoint of one tutor, the contact. */
export async function authenticateContact(
  options: AuthenticationOptions,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const login = await authenticateContactLogin(options, request, reply);
  if (!login) throw signedOutError();
  request.contactLogin = login;
  if (endpoint.access !== 'contact') return;
  const { publicId } = request.params as { publicId: string };
  request.contact = await options.findContact(login, publicId);
  if (!request.contact) throw signedOutError();
}

export const signedOutError = (): AppError =>
  new AppError('unauthenticated', 'Please sign in to continue.');

declare module 'fastify' {
  interface FastifyRequest {
    login: Login | null;
    contactLogin: ContactLogin | null;
    contact: Contact | null;
  }
}
