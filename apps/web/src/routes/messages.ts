import { IconMessages } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseIdParam } from './search.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

/** Search parameters for the outbox, or for the message log of one or all families. */
interface MessagesSearch {
  show?: 'sent';
  family?: number;
}

export const messagesRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/messages',
  validateSearch: (search: Record<string, unknown>): MessagesSearch => ({
    ...parseIdParam(search, 'family'),
    ...(search['show'] === 'sent' && { show: 'sent' }),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { show, family } }) =>
    prefetchForTutor(context, async (client) => {
      const { messagesQuery, outboxQuery } = await import('../features/messages/api.ts');
      return family !== undefined || show === 'sent'
        ? client.prefetchInfiniteQuery(messagesQuery(family))
        : client.prefetchQuery(outboxQuery);
    }),
  component: lazyRouteComponent(() => import('../pages/Messages.tsx'), 'MessagesPage'),
  staticData: {
    title: 'Messages',
    section: '/notifications',
    commands: [{ keywords: 'whatsapp e-mail email sent tray', Icon: IconMessages }],
    settings: { card: 'Teaching' },
  },
});
