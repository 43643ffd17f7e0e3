import { IconBellRinging, IconMessages } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  LOG_DAYS,
  type MessagesSearch,
  SENT_FILTERS,
  TO_SEND_FILTERS,
  toLogFilter,
} from '../features/messages/messages-search-params.ts';
import { parseIdParam, parseTextParam } from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

function parseMessagesSearch(search: Record<string, unknown>): MessagesSearch {
  const show = search['show'] === 'sent';
  const filters: readonly MessagesSearch['filter'][] = show ? SENT_FILTERS : TO_SEND_FILTERS;
  const filter = filters.find((candidate) => candidate === search['filter']);
  const days = LOG_DAYS.find((candidate) => candidate === Number(search['days']));
  return {
    ...parseIdParam(search, 'family'),
    ...parseIdParam(search, 'message'),
    ...(show && { show: 'sent' as const }),
    ...(filter && { filter }),
    ...(show && parseTextParam(search, 'q')),
    ...(show && days && { days }),
    ...(search['remind'] === 'overdue' && { remind: 'overdue' as const }),
  };
}

export const messagesRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/messages',
  validateSearch: parseMessagesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    prefetchForTutor(context, async (client) => {
      const { messagesQuery, outboxQuery } = await import('../features/messages/api.ts');
      return deps.family !== undefined || deps.show === 'sent'
        ? client.prefetchInfiniteQuery(messagesQuery(toLogFilter(deps)))
        : client.prefetchQuery(outboxQuery);
    }),
  component: lazyRouteComponent(() => import('../pages/Messages.tsx'), 'MessagesPage'),
  staticData: {
    title: 'Messages',
    section: '/messages',
    navigation: {
      order: 6,
      group: 'business',
      phone: ['more'],
      key: 'm',
      badge: 'messagesToSend',
      hint: ({ messagesToSend }) => (messagesToSend > 0 ? `${messagesToSend} to send` : ''),
    },
    commands: [
      { keywords: 'whatsapp email sent to send outbox', Icon: IconMessages },
      {
        label: 'Send overdue reminders',
        keywords: 'remind families payment reminder all unpaid owed',
        Icon: IconBellRinging,
        search: { remind: 'overdue' },
      },
    ],
  },
});
