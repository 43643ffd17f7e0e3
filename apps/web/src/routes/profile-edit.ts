import { IconUserEdit } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tutorRoute } from './tutor.ts';

export const profileEditRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/profile-edit',
  component: lazyRouteComponent(() => import('../pages/ProfileEdit.tsx'), 'ProfileEditPage'),
  staticData: {
    title: 'Edit Profile',
    section: '/settings',
    commands: [{ keywords: 'name e-mail email time zone', Icon: IconUserEdit }],
    settings: { card: 'Account' },
  },
});
