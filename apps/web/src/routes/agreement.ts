import { IconFiles } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tutorRoute } from './tutor.ts';

export const settingsAgreementRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/agreement',
  component: lazyRouteComponent(
    () => import('../pages/SettingsAgreement.tsx'),
    'SettingsAgreementPage',
  ),
  staticData: {
    title: 'Agreement',
    section: '/settings',
    commands: [{ keywords: 'terms contract accept', Icon: IconFiles }],
    settings: { card: 'Teaching' },
  },
});
