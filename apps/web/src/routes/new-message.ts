import { IconMessagePlus } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseIdParam, readText } from './parse-search-params.ts';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

interface NewMessageSearch {
  /** Ids of the chosen families, joined by '-'. */
  families?: string;
  /** The session of a group with one student left, whose family is asked about a one-to-one fee. */
  oneToOne?: number;
}

/** A single id arrives as a number, because the router parses it. */
function parseNewMessage(search: Record<string, unknown>): NewMessageSearch {
  const families = readText(search['families']);
  return {
    ...(/^\d{1,10}(-\d{1,10})*$/.test(families) && { families }),
    ...parseIdParam(search, 'oneToOne'),
  };
}

export const newMessageRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/messages/new',
  validateSearch: parseNewMessage,
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { familiesQuery } = await import('../features/payments/api.ts');
      return client.prefetchQuery(familiesQuery);
    }),
  component: lazyRouteComponent(() => import('../pages/NewMessage.tsx'), 'NewMessagePage'),
  staticData: {
    title: 'New message',
    section: '/messages',
    commands: [{ keywords: 'write send families parents everyone', Icon: IconMessagePlus }],
  },
});
