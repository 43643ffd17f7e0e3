import { type PortalCodeInput, type PortalSignInInput, portal } from '@lessonbook/contract/portal';
import { portalAgreements } from '@lessonbook/contract/portal-agreement';
import { portalDetails } from '@lessonbook/contract/portal-contact-details';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callApi } from '../../lib/http.ts';

/* What the person who is signed in to the family portal reads and changes. */

export const portalLoginKey = ['/api/portal/login'];

/** Refreshes a tab that was in the background, which then shows current lessons, or the sign-in page if the login has ended. */
const ALWAYS_STALE = { staleTime: 0, refetchOnWindowFocus: true } as const;

/** The page shows the error. */
const INLINE_ERROR = { isErrorShownInline: () => true };

/** Null for a visitor. */
export const portalLoginQuery = queryOptions({
  queryKey: portalLoginKey,
  queryFn: async () => {
    try {
      return await callApi(portal.portalLogin);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  ...ALWAYS_STALE,
});

/** The only other addresses that people can sign in with are phone numbers. */
export const isEmail = (address: string): boolean => address.includes('@');

export const addressNoun = (address: string): string =>
  isEmail(address) ? 'email address' : 'phone number';

/** Says whether people can sign in with a phone number. */
export const portalSignInOptionsQuery = queryOptions({
  queryKey: ['portal-sign-in-options'],
  queryFn: () => callApi(portal.portalSignInOptions),
});

export const portalLessonsQuery = (publicId: string) =>
  queryOptions({
    queryKey: ['/api/portal/lessons', publicId],
    queryFn: () => callApi(portal.portalLessons, { params: { publicId } }),
    ...ALWAYS_STALE,
  });

export const portalMoneyKey = (publicId: string) => ['/api/portal/money', publicId];

export const portalDetailsQuery = (publicId: string) =>
  queryOptions({
    queryKey: ['/api/portal/details', publicId],
    queryFn: () => callApi(portalDetails.portalDetails, { params: { publicId } }),
    ...ALWAYS_STALE,
  });

export const portalAgreementQuery = (publicId: string) =>
  queryOptions({
    queryKey: ['/api/portal/agreement', publicId],
    queryFn: () => callApi(portalAgreements.portalAgreement, { params: { publicId } }),
    ...ALWAYS_STALE,
  });

export const portalBrowsersQuery = queryOptions({
  queryKey: ['/api/portal/browsers'],
  queryFn: () => callApi(portal.portalBrowsers),
  ...ALWAYS_STALE,
});

export const useRequestCode = () =>
  useMutation({
    mutationFn: (body: PortalCodeInput) => callApi(portal.requestPortalCode, { body }),
    meta: INLINE_ERROR,
  });

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PortalSignInInput) => callApi(portal.signInToPortal, { body }),
    meta: INLINE_ERROR,
    onSuccess: async (login) => {
      // An earlier request may still be answered with 401.
      await client.cancelQueries({ queryKey: portalLoginKey });
      client.setQueryData(portalLoginQuery.queryKey, login);
    },
  });
}

/** `onSignedOut` is called while the page is still shown. */
export function useSignOut(onSignedOut: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(portal.signOutOfPortal),
    meta: { errorFallback: "We couldn't sign you out. Please try again." },
    onSuccess: async () => {
      onSignedOut();
      await client.cancelQueries({ queryKey: portalLoginKey });
      client.setQueryData(portalLoginQuery.queryKey, null);
    },
  });
}

export function useSignOutBrowser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callApi(portal.signOutPortalBrowser, { params: { id } }),
    meta: { errorFallback: "We couldn't sign that browser out. Please try again." },
    onSettled: () => client.invalidateQueries({ queryKey: portalBrowsersQuery.queryKey }),
  });
}
