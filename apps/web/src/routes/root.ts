import type { Icon } from '@tabler/icons-react';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, lazyRouteComponent } from '@tanstack/react-router';
import type { NavigationItem } from '../lib/navigation-item.ts';

export interface RouterContext {
  queryClient: QueryClient;
}

/** The paths of the items in the navigation. */
type Section =
  | '/'
  | '/schedule'
  | '/students'
  | '/families'
  | '/invoices'
  | '/messages'
  | '/reports'
  | '/notifications'
  | '/settings';

interface PageCommand {
  /** Defaults to the title. */
  label?: string;
  /** Additional search terms. */
  keywords: string;
  Icon: Icon;
  search?: Record<string, string>;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's heading, also used for the title of the window. Pages about one record replace it. */
    title?: string;
    /** The navigation item that is highlighted on this page. */
    section?: Section;
    navigation?: NavigationItem;
    /** How the command palette offers the page. */
    commands?: readonly [PageCommand, ...PageCommand[]];
    /** The card of the settings page that links to this page. */
    settings?: { card: 'Account' | 'Teaching'; label?: string };
  }
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  notFoundComponent: lazyRouteComponent(() => import('../pages/NotFound.tsx'), 'NotFoundPage'),
});
