import { type CalendarStatus, calendar } from '@lessonbook/contract/calendar';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, callApi, isReauthDeclined } from '../../lib/http.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { useUndoToast } from '../lessons/api.ts';

const POLL_MS = 2_000;
/** While there is a problem with Google, the status rarely changes. */
const SLOW_POLL_MS = 15_000;

export const calendarStatusQuery = queryOptions({
  queryKey: ['/api/google/calendar/status'],
  queryFn: () => callApi(calendar.calendarStatus),
  // The status changes in the background and on Google's side.
  staleTime: 0,
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }) => (state.data ? pollInterval(state.data) : false),
});

/** Polls only while lessons are being sent. */
function pollInterval({
  connected,
  initialSyncRunning,
  waiting,
  problem,
}: CalendarStatus): number | false {
  if (!connected || (!initialSyncRunning && waiting === 0)) return false;
  return problem ? SLOW_POLL_MS : POLL_MS;
}

/** Returns the Google URL where the tutor grants access to a calendar. */
export function useConnectCalendar() {
  return useMutation({
    mutationFn: async () => {
      const { authUrl } = await callApi(calendar.connectCalendar);
      if (!authUrl) throw new Error('The response has no authUrl');
      return authUrl;
    },
    meta: { isErrorShownInline: () => true },
    onError: (error) => {
      if (isReauthDeclined(error)) return;
      // A 403 (demo account) has its own message, because retrying does not help.
      const forbidden = error instanceof ApiError && error.status === 403 && error.userMessage;
      toastError(forbidden || 'Failed to connect to Google Calendar. Please try again.');
    },
  });
}

export function useDisconnectCalendar() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(calendar.disconnectCalendar),
    meta: { errorFallback: "We couldn't disconnect Google Calendar. Please try again." },
    onSuccess: (status) => {
      client.setQueryData(calendarStatusQuery.queryKey, status);
      toastSuccess('Google Calendar disconnected');
    },
  });
}

/* Changes made in Google */

export const calendarChangesQuery = queryOptions({
  queryKey: ['/api/calendar/external-changes', 'all'],
  queryFn: () => callApi(calendar.listExternalChanges, { query: {} }),
});

export const sessionCalendarChangesQuery = (session: number) =>
  queryOptions({
    queryKey: ['/api/calendar/external-changes', session],
    queryFn: () => callApi(calendar.listExternalChanges, { query: { session } }),
  });

interface AcceptInput {
  id: number;
  kind: 'moved' | 'deleted';
  acceptOverlaps: boolean;
}

/** Moves the session to the time in Google, or cancels it. */
export function useAcceptCalendarChange() {
  const offerUndo = useUndoToast();
  return useMutation({
    mutationFn: ({ id, acceptOverlaps }: AcceptInput) =>
      callApi(calendar.acceptExternalChange, { params: { id }, body: { acceptOverlaps } }),
    meta: {
      errorFallback: "The change couldn't be applied. Please try again.",
      isErrorShownInline: (error) => error.code === 'overlap',
    },
    onSuccess: ({ sessionId }, { kind }) => {
      if (kind === 'moved') toastSuccess('Lesson moved');
      else offerUndo('Lesson cancelled', sessionId);
    },
  });
}

/** Restores the lesson in Google. */
export function useRejectCalendarChange() {
  return useMutation({
    mutationFn: (id: number) => callApi(calendar.revertExternalChange, { params: { id } }),
    meta: { errorFallback: "The change couldn't be undone. Please try again." },
    onSuccess: () =>
      toastSuccess('Change undone', 'Google will show the lesson as it is in Lessonbook.'),
  });
}

/* The private feed URL for other calendars */

/** Not a query: the URL is a secret, and showing it requires recent authentication and notifies the tutor by email. */
export const useShowIcalFeed = () =>
  useMutation({
    mutationFn: () => callApi(calendar.showFeed),
    meta: { errorFallback: "We couldn't load the address. Please try again." },
  });

export const useReplaceIcalFeed = () =>
  useMutation({
    mutationFn: () => callApi(calendar.replaceFeed),
    meta: { errorFallback: "We couldn't replace the address. Please try again." },
    onSuccess: () => toastSuccess('Address replaced', 'The old one no longer works.'),
  });
