import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { meQuery } from '../../features/accounts/me.ts';
import { listenForNews } from '../../features/notifications/news.ts';
import { unreadQuery } from '../../features/notifications/unread.ts';

/**
 * What came in while the tutor looks at the page shows without being asked for: the number on the bell and the inbox, and,
 * since the tutor's revision has risen with it, whatever else a payment or an answer has changed.
 */
export function useNews() {
  const client = useQueryClient();
  useEffect(() => {
    const askForInbox = () =>
      void client.invalidateQueries({ queryKey: unreadQuery.queryKey.slice(0, 1) });
    return listenForNews({
      onDoubt: askForInbox,
      onNews() {
        askForInbox();
        void client.invalidateQueries({ queryKey: meQuery.queryKey });
      },
    });
  }, [client]);
}
