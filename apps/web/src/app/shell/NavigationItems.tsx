import {
  IconBell,
  IconCalendarEvent,
  IconChartBar,
  IconHome,
  IconSettings,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useUnreadCount } from '../../features/notifications/live-updates.ts';
import { paths } from '../../lib/paths.ts';
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

/** An item is highlighted while the first segment of the path is in `activeSegments`. */
export const mainItems = [
  { to: paths.home, label: 'Home', Icon: IconHome, activeSegments: ['', 'dashboard'] },
  {
    to: paths.schedule,
    label: 'Schedule',
    Icon: IconCalendarEvent,
    activeSegments: ['schedule', 'sessions', 'lessons'],
  },
  {
    to: paths.reports,
    label: 'Reports',
    Icon: IconChartBar,
    activeSegments: ['reports', 'payments', 'invoices', 'families'],
  },
] as const;

export const secondaryItems = [
  {
    to: paths.notifications,
    label: 'Notifications',
    Icon: IconBell,
    activeSegments: ['notifications', 'messages'],
  },
  {
    to: paths.settings,
    label: 'Settings',
    Icon: IconSettings,
    activeSegments: ['settings', 'mobile-settings', 'profile-edit', 'payment-methods'],
  },
] as const;

export type NavItem = (typeof mainItems | typeof secondaryItems)[number];

export function useIsCurrent(): (item: NavItem) => boolean {
  const [, firstSegment = ''] = useLocation().pathname.split('/');
  return (item) => item.activeSegments.some((segment) => segment === firstSegment);
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
      to={item.to}
      className={className}
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={current ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}
