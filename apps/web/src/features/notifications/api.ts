import { notifications } from '@lessonbook/contract/notifications';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { unreadQuery } from './live-updates.ts';

/** As much of the inbox as one reads at once. */
const PAGE_SIZE = 50;

export const inboxQuery = infiniteQueryOptions({
  queryKey: ['/api/notifications', 'list'],
  queryFn: ({ pageParam }) =>
    call(notifications.listNotifications, { query: { limit: PAGE_SIZE, offset: pageParam } }),
  initialPageParam: 0,
  getNextPageParam: (last, all) =>
    last.notifications.length < PAGE_SIZE ? undefined : all.length * PAGE_SIZE,
  // Opened to see what is new, also what came a moment ago.
  staleTime: 0,
  refetchOnWindowFocus: 'always',
});

/** All of them, unless some are named. */
export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: number[] | null) =>
      call(notifications.markNotificationsRead, { body: ids ? { ids } : {} }),
    meta: { errorFallback: 'Failed to mark as read. Please try again.' },
    // At once: whoever taps is on the way to another page.
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey: ['/api/notifications'] });
      const inView = client.getQueryData(inboxQuery.queryKey)?.pages ?? [];
      const fresh = inView
        .flatMap((page) => page.notifications)
        .filter(({ id, read }) => !read && ids?.includes(id));
      client.setQueryData(
        unreadQuery.queryKey,
        (bell) => bell && { unread: ids === null ? 0 : Math.max(0, bell.unread - fresh.length) },
      );
      client.setQueryData(
        inboxQuery.queryKey,
        (inbox) =>
          inbox && {
            ...inbox,
            pages: inbox.pages.map((page) => ({
              ...page,
              notifications: page.notifications.map((each) =>
                ids === null || ids.includes(each.id) ? { ...each, read: true } : each,
              ),
            })),
          },
      );
    },
    onSuccess: (count) => client.setQueryData(unreadQuery.queryKey, count),
    // The server knows what is really read.
    onError: () => client.invalidateQueries({ queryKey: ['/api/notifications'] }),
  });
}
