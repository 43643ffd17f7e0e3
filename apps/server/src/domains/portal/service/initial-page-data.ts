import { PortalInitialData, type PortalLogin } from '@lessonbook/contract/portal';
import * as z from 'zod/mini';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { ContactLogin } from '../../../platform/http/authentication.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { findContact } from './find-signed-in-contact.ts';
import { readPortalLessons } from './portal-lessons.ts';
import { readPortalLogin } from './read-portal-login.ts';
import { readSignInOptions } from './sign-in.ts';

/** The data that a portal page needs first. Only the paths '' and the public id of a contact show lessons. */
export async function readInitialPageData(
  context: Context,
  contactLogin: ContactLogin | null,
  page: string,
  requestContext: Pick<RequestContext, 'userAgent'>,
): Promise<PortalInitialData> {
  const login = contactLogin && (await readLogin(context, contactLogin, requestContext));
  return z.parse(PortalInitialData, {
    options: readSignInOptions(context),
    login,
    lessons: login && contactLogin && (await readLessons(context, contactLogin, login, page)),
  });
}

/** Null if every tutor has signed the person out, because the app then shows the person as signed out. */
const readLogin = (
  context: Context,
  contactLogin: ContactLogin,
  requestContext: Pick<RequestContext, 'userAgent'>,
): Promise<PortalLogin | null> =>
  readPortalLogin(context, contactLogin, requestContext).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'unauthenticated') return null;
    throw error;
  });

/** Chooses the tutor as the app does: the one in the path, otherwise the only one. */
async function readLessons(
  context: Context,
  contactLogin: ContactLogin,
  { tutors }: PortalLogin,
  page: string,
): Promise<PortalInitialData['lessons']> {
  // The other pages of a tutor show no lessons.
  if (page === 'details' || page.includes('/')) return null;
  const shown =
    tutors.find(({ publicId }) => publicId === page) ??
    (tutors.length === 1 ? tutors[0] : undefined);
  const contact = shown && (await findContact(context, contactLogin, shown.publicId));
  if (!contact) return null;
  return { publicId: shown.publicId, page: await readPortalLessons(context, contact) };
}
