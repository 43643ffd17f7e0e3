import { useQuery } from '@tanstack/react-query';
import { Link, type NavigateOptions, useLocation, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageEntry } from '../../features/command-palette/use-commands.ts';
import { navigationCountsQuery } from '../../features/dashboard/navigation-counts.ts';
import { useUnreadCount } from '../../features/notifications/live-updates.ts';
import type { NavigationBadge, NavigationItem } from '../../lib/navigation-item.ts';
import classes from './NavigationLinksAndBadges.module.css';

const badgeLabels: Record<NavigationBadge, string> = {
  overdueInvoices: 'overdue',
  messagesToSend: 'to send',
  unreadNotifications: 'unread',
};

/** The sum of the badges' counts. Screen readers read what each badge counts. Renders nothing if the sum is 0 or unknown. */
export function NavBadge({ badges }: { badges: readonly NavigationBadge[] }) {
  const { data: counts } = useQuery(navigationCountsQuery);
  const unread = useUnreadCount();
  const shown = badges
    .map((badge) => ({
      badge,
      count: badge === 'unreadNotifications' ? unread : (counts?.[badge] ?? 0),
    }))
    .filter(({ count }) => count > 0);
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const isOverdue = badges.length === 1 && badges[0] === 'overdueInvoices';
  return (
    <span className={classes.badge} data-overdue={isOverdue || undefined}>
      <span aria-hidden="true">{total > 99 ? '99+' : total}</span>
      <span className={classes.visuallyHidden}>
        {` ${shown.map(({ badge, count }) => `${count} ${badgeLabels[badge]}`).join(', ')}`}
      </span>
    </span>
  );
}

interface PageEntryWithNavigation extends PageEntry {
  navigation: NavigationItem | undefined;
}

export interface NavItem extends PageEntry {
  navigation: NavigationItem;
}

/** The pages, as described by their routes for the navigation and the command palette. */
export function usePageEntries(): PageEntryWithNavigation[] {
  const { routesByPath } = useRouter();
  return Object.values(routesByPath).flatMap(({ fullPath, options: { staticData } }) => {
    const { title = '', section, navigation, commands = [] } = staticData ?? {};
    return commands.map(({ label = title, search, ...command }, index) => ({
      ...command,
      label,
      link: { to: fullPath, ...(search && { search }) } as NavigateOptions,
      navigation: index === 0 ? navigation : undefined,
      ...(section === '/settings' && !navigation && { hint: 'Settings' }),
    }));
  });
}

/** The items of the navigation, in display order. */
export const useNavItems = (isShown: (item: NavigationItem) => boolean = () => true): NavItem[] =>
  usePageEntries()
    .filter(
      (entry): entry is NavItem => entry.navigation !== undefined && isShown(entry.navigation),
    )
    .toSorted((a, b) => a.navigation.order - b.navigation.order);

/** Whether the current page, or the one being opened, belongs to an item. */
export function useIsCurrent(): (item: NavItem) => boolean {
  const router = useRouter();
  const pathname = useLocation({ select: (location) => location.pathname });
  const [, , foundRoute] = router.getMatchedRoutes(pathname);
  const section: unknown = foundRoute?.options.staticData?.section;
  return (item) => item.link.to === section;
}

interface Props {
  item: NavItem;
  current: boolean;
  className: string | undefined;
  /** The id of the element that describes the link. */
  describedBy?: string;
  onClick?: () => void;
  children?: ReactNode;
}

/**
 * The router highlights links by path only. This link is also highlighted on the other pages that belong to its item.
 */
export function NavLink({ item, current, className, describedBy, onClick, children }: Props) {
  return (
    <Link
      {...item.link}
      className={className}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={current ? 'page' : undefined}
      aria-describedby={describedBy}
      onClick={onClick}
    >
      {children}
    </Link>
  );
}
