import {
  IconBell,
  IconCalendarEvent,
  IconChartBar,
  IconHome,
  IconSettings,
} from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { paths } from '../paths.ts';

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

export const sideItems = [
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

export type NavItem = (typeof mainItems | typeof sideItems)[number];

export function useIsCurrent(): (item: NavItem) => boolean {
  const [, firstStep = ''] = useLocation().pathname.split('/');
  return (item) => item.covers.some((step) => step === firstStep);
}
