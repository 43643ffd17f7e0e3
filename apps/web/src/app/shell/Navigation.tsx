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
import classes from './Navigation.module.css';

/** How many notifications are unread; nothing when there are none. */
export function UnreadBadge() {
  const unread = useUnreadCount();
  if (unread === 0) return null;
  return (
    <span className={classes.badge}>
      <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>
      <span className={classes.spoken}>{` ${unread} unread`}</span>
    </span>
  );
}

/** Where a deep screen belongs: its first step decides which item is highlighted. */
export const mainItems = [
  { to: paths.home, label: 'Home', Icon: IconHome, covers: ['', 'dashboard'] },
  {
    to: paths.schedule,
    label: 'Schedule',
    Icon: IconCalendarEvent,
    covers: ['schedule', 'sessions', 'lessons'],
  },
  {
    to: paths.reports,
    label: 'Reports',
    Icon: IconChartBar,
    covers: ['reports', 'payments', 'invoices', 'families'],
  },
] as const;

export const secondaryItems = [
  {
    to: paths.notifications,
    label: 'Notifications',
    Icon: IconBell,
    covers: ['notifications', 'messages'],
  },
  {
    to: paths.settings,
    label: 'Settings',
    Icon: IconSettings,
    covers: ['settings', 'mobile-settings', 'profile-edit', 'payment-methods'],
  },
] as const;

export type NavItem = (typeof mainItems | typeof secondaryItems)[number];

export function useIsCurrent(): (item: NavItem) => boolean {
  const [, firstStep = ''] = useLocation().pathname.split('/');
  return (item) => item.covers.some((step) => step === firstStep);
}

interface Props {
  item: NavItem;
  current: boolean;
  className: string | undefined;
  children?: ReactNode;
}

/** The router alone would highlight by address; ours also knows which deep screens belong to an item. */
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
