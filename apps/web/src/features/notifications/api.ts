import { type Notification, notifications } from '@lessonbook/contract/notifications';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { unreadCountQuery } from './live-updates.ts';

const PAGE_SIZE = 50;

export const inboxQuery = infiniteQueryOptions({
  queryKey: ['/api/notifications', 'list'],
  queryFn: ({ pageParam }) =>
    callApi(notifications.listNotifications, { query: { limit: PAGE_SIZE, offset: pageParam } }),
  initialPageParam: 0,
  getNextPageParam: (last, all) =>
    last.notifications.length < PAGE_SIZE ? undefined : all.length * PAGE_SIZE,
  // Always refetched, so that the newest notifications are shown.
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});

const withRead = (list: readonly Notification[], ids: readonly number[] | null): Notification[] =>
  list.map((notification) =>
    ids === null || ids.includes(notification.id) ? { ...notification, read: true } : notification,
  );

/** Marks a notification that needs the tutor as done. */
export function useMarkDone() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      callApi(notifications.markNotificationsDone, { body: { ids: [id] } }),
    meta: { errorFallback: "We couldn't mark this as done. Please try again." },
    onSettled: () => client.invalidateQueries({ queryKey: ['/api/notifications'] }),
  });
}

/** Marks these notifications as read; null marks all. */
export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: number[] | null) =>
      callApi(notifications.markNotificationsRead, { body: ids ? { ids } : {} }),
    meta: { errorFallback: "We couldn't mark this as read. Please try again." },
    // Optimistic, because a tap also navigates to another page.
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey: ['/api/notifications'] });
      const pages = client.getQueryData(inboxQuery.queryKey)?.pages ?? [];
      const newlyRead = pages
        .flatMap((page) => page.notifications)
        .filter(({ id, read }) => !read && ids?.includes(id));
      client.setQueryData(
        unreadCountQuery.queryKey,
        (count) =>
          count && { unread: ids === null ? 0 : Math.max(0, count.unread - newlyRead.length) },
      );
      client.setQueryData(
        inboxQuery.queryKey,
        (inbox) =>
          inbox && {
            ...inbox,
            pages: inbox.pages.map((page) => ({
              ...page,
              open: withRead(page.open, ids),
              notifications: withRead(page.notifications, ids),
            })),
          },
      );
    },
    onSuccess: (count) => client.setQueryData(unreadCountQuery.queryKey, count),
    onError: () => client.invalidateQueries({ queryKey: ['/api/notifications'] }),
  });
}
