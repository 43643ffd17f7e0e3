import { Link, type NavigateOptions, useLocation, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageEntry } from '../../features/command-palette/use-commands.ts';
import { useUnreadCount } from '../../features/notifications/live-updates.ts';
import classes from './NavigationItems.module.css';

export function UnreadBadge() {
  const unread = useUnreadCount();
  if (unread === 0) return null;
  return (
    <span className={classes.badge}>
      <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>
      <span className={classes.visuallyHidden}>{` ${unread} unread`}</span>
    </span>
  );
}

export interface NavItem extends PageEntry {
  /** Which part of the navigation shows the item, if any. */
  navigation: 'main' | 'account' | undefined;
}

/** The pages as the routes describe them for the navigation and the command palette. */
export function usePageEntries(): NavItem[] {
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

export const useNavItems = (navigation: 'main' | 'account'): NavItem[] =>
  usePageEntries().filter((entry) => entry.navigation === navigation);

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
  children?: ReactNode;
}

/**
 * The router highlights links by path only. This link is also highlighted on the other pages that belong to its item.
 */
export function NavLink({ item, current, className, children }: Props) {
  return (
    <Link
      {...item.link}
      className={className}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={current ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}
