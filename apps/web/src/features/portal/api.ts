import type { EndpointInput } from '@lessonbook/contract/endpoint';
import {
  type PortalContact,
  type PortalSettings,
  portalSettings,
} from '@lessonbook/contract/portal-management';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

/* The tutor's view of the family portal, and its settings. */

const PAGE_SIZE = 50;

/** Whether the person may see anything in the portal. */
export const hasAccess = ({ students }: PortalContact): boolean =>
  students.some(({ seesLessons, seesNotes, seesMoney }) => seesLessons || seesNotes || seesMoney);

/** What families sign in with. */
export const signInAddressNoun = (hasWhatsApp: boolean): string =>
  hasWhatsApp ? 'email address or phone number' : 'email address';

export const portalSettingsQuery = queryOptions({
  queryKey: ['/api/settings/portal'],
  queryFn: () => callApi(portalSettings.portalSettings),
  // Visits by families do not change the tutor's revision.
  staleTime: 0,
});

/** Contacts whose name, or a student's name, contains the text. */
export const portalContactsQuery = (search = '') =>
  infiniteQueryOptions({
    queryKey: ['/api/settings/portal/contacts', search],
    queryFn: ({ pageParam }) =>
      callApi(portalSettings.listPortalContacts, {
        query: { limit: PAGE_SIZE, offset: pageParam, ...(search ? { search } : {}) },
      }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < PAGE_SIZE ? undefined : all.length * PAGE_SIZE),
    // Visits by families do not change the tutor's revision.
    staleTime: 0,
    // The rows stay while another search loads.
    placeholderData: keepPreviousData,
  });

/** Not cached: it has to show what the person would see now. */
export const portalPreviewQuery = (id: number) =>
  queryOptions({
    queryKey: ['portal-preview', id],
    queryFn: () => callApi(portalSettings.previewPortal, { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  });

/** Not cached, because visits by families do not change the tutor's revision. */
export const contactBrowsersQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/settings/portal', id, 'browsers'],
    queryFn: () => callApi(portalSettings.contactBrowsers, { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  });

/** Not cached, for the same reason. */
export const contactActivityQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/settings/portal', id, 'activity'],
    queryFn: () => callApi(portalSettings.contactActivity, { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  });

function useUpdateCache() {
  const client = useQueryClient();
  return (settings: PortalSettings) => client.setQueryData(portalSettingsQuery.queryKey, settings);
}

export function useOpenPortal() {
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: () => callApi(portalSettings.openPortal),
    meta: { errorFallback: "We couldn't open the family portal. Please try again." },
    onSuccess: (settings) => {
      updateCache(settings);
      toastSuccess('The family portal is open');
    },
  });
}

export function useClosePortal() {
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: () => callApi(portalSettings.closePortal),
    meta: { errorFallback: "We couldn't close the family portal. Please try again." },
    onSuccess: (settings) => {
      updateCache(settings);
      toastSuccess('The family portal is closed');
    },
  });
}

export function useSetNoteEmailHour() {
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: (hour: EndpointInput<typeof portalSettings.setNoteEmailHour>['body']['hour']) =>
      callApi(portalSettings.setNoteEmailHour, { body: { hour } }),
    meta: { errorFallback: "We couldn't save that. Please try again." },
    onSuccess: (settings) => {
      updateCache(settings);
      toastSuccess('Settings saved');
    },
  });
}

export function useSignOutContact() {
  return useMutation({
    mutationFn: ({ id }: PortalContact) =>
      callApi(portalSettings.signOutContact, { params: { id } }),
    meta: { errorFallback: "We couldn't sign them out. Please try again." },
    onSuccess: (_, { name }) => toastSuccess(`${name} has been signed out everywhere`),
  });
}

export function useSuspendContact() {
  const updateCache = useUpdateCache();
  return useMutation({
    mutationFn: ({ id, isSuspended }: PortalContact) =>
      callApi(portalSettings.suspendContact, {
        params: { id },
        body: { isSuspended: !isSuspended },
      }),
    meta: { errorFallback: "We couldn't save that. Please try again." },
    onSuccess: (settings, { name, isSuspended }) => {
      updateCache(settings);
      toastSuccess(isSuspended ? `${name} can sign in again` : `${name} is suspended`);
    },
  });
}
