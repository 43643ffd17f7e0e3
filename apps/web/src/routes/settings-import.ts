import { IconDatabaseImport } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tutorRoute } from './tutor.ts';

export const settingsImportRoute = createRoute({
  getParentRoute: () => tutorRoute,
  path: '/settings/import',
  component: lazyRouteComponent(() => import('../pages/SettingsImport.tsx'), 'SettingsImportPage'),
  staticData: {
    title: 'Import',
    section: '/settings',
    commands: [{ keywords: 'csv spreadsheet students lessons', Icon: IconDatabaseImport }],
  },
});
