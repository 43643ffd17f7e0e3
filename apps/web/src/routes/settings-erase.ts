import { IconUserOff } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchForTutor, tutorRoute } from './tutor.ts';

export const settingsEraseRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/erase',
  // 'student-7' or 'carer-3'.
  validateSearch: ({ person }: Record<string, unknown>): { person?: string } =>
    typeof person === 'string' && /^(student|carer)-\d{1,10}$/.test(person) ? { person } : {},
  loader: ({ context }) =>
    prefetchForTutor(context, async (client) => {
      const { peopleQuery } = await import('../features/privacy/api.ts');
      return client.prefetchQuery(peopleQuery);
    }),
  component: lazyRouteComponent(() => import('../pages/SettingsErase.tsx'), 'SettingsErasePage'),
  staticData: {
    title: 'Erase a person',
    section: '/settings',
    commands: [{ keywords: 'privacy gdpr forget', Icon: IconUserOff }],
  },
});
