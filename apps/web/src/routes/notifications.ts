import { IconBell } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tutorRoute } from './tutor.ts';

export const notificationsRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/notifications',
  component: lazyRouteComponent(() => import('../pages/Notifications.tsx'), 'NotificationsPage'),
  staticData: {
    title: 'Notifications',
    section: '/notifications',
    navigation: {
      order: 8,
      group: 'account',
      phone: ['header'],
      key: 'n',
      badge: 'unreadNotifications',
    },
    commands: [{ keywords: 'inbox news bell', Icon: IconBell }],
  },
});
