import type { notifications } from '@lessonbook/contract/notifications';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { isNewsHeard } from './news.ts';

/*
 * The number on the bell, apart from `api.ts`: every screen asks for it, and must not load the contract's schemas for that.
 * So the endpoint is written out here, and the type check keeps it true.
 */
const unreadCount = {
  method: 'GET',
  path: '/api/notifications/unread',
} as const satisfies Pick<typeof notifications.unreadCount, 'method' | 'path'>;

/** For as long as the server does not tell by itself. */
const POLL_MS = 30_000;

export const unreadQuery = queryOptions({
  queryKey: ['/api/notifications', 'unread'],
  queryFn: () => call(unreadCount as typeof notifications.unreadCount),
  refetchInterval: () => (isNewsHeard() ? false : POLL_MS),
  refetchOnWindowFocus: 'always',
});

/** How many are unread; none while nobody knows. */
export const useUnread = (): number => useQuery(unreadQuery).data?.unread ?? 0;
