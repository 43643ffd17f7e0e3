import type { Icon } from '@tabler/icons-react';
import {
  IconAlarm,
  IconBook2,
  IconBuildingStore,
  IconCoins,
  IconDatabase,
  IconDatabaseImport,
  IconFileInvoice,
  IconFiles,
  IconHistory,
  IconListCheck,
  IconLock,
  IconMessages,
  IconSchool,
  IconShieldCheck,
  IconUmbrella,
  IconUserEdit,
  IconUserOff,
  IconUsersGroup,
  IconWallet,
} from '@tabler/icons-react';
import type { NavigateOptions } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';

/** A page in the main navigation. */
export interface MainPage {
  label: string;
  Icon: Icon;
  to: NonNullable<NavigateOptions['to']>;
}

interface PageEntry {
  label: string;
  hint?: string;
  /** Additional search terms. */
  keywords: string;
  Icon: Icon;
  link: NavigateOptions;
}

/** Every tutor page except those in the main navigation, which the shell passes in. */
export const secondaryPages = [
  {
    label: 'Students',
    keywords: 'pupils people',
    Icon: IconSchool,
    link: { to: paths.schedule, search: { view: 'students' } },
  },
  {
    label: 'Subjects',
    keywords: 'fees prices',
    Icon: IconBook2,
    link: { to: paths.schedule, search: { view: 'subjects' } },
  },
  {
    label: 'Sessions',
    keywords: 'day lessons attendance',
    Icon: IconListCheck,
    link: { to: paths.sessions },
  },
  {
    label: 'Accounts',
    keywords: 'families carers parents balances',
    Icon: IconUsersGroup,
    link: { to: paths.families },
  },
  {
    label: 'Owed',
    keywords: 'unpaid outstanding debts reports',
    Icon: IconCoins,
    link: { to: paths.reports, search: { show: 'owed' } },
  },
  {
    label: 'Invoices',
    keywords: 'bills',
    Icon: IconFileInvoice,
    link: { to: paths.invoices },
  },
  {
    label: 'Invoice everyone',
    keywords: 'all families bills month',
    Icon: IconFiles,
    link: { to: paths.bulkInvoice },
  },
  {
    label: 'Messages',
    keywords: 'whatsapp e-mail email sent tray',
    Icon: IconMessages,
    link: { to: paths.messages },
  },
  {
    label: 'Edit Profile',
    hint: 'Settings',
    keywords: 'name e-mail email time zone',
    Icon: IconUserEdit,
    link: { to: paths.profileEdit },
  },
  {
    label: 'Security',
    hint: 'Settings',
    keywords: 'password passkey two step authenticator logins',
    Icon: IconLock,
    link: { to: paths.settingsSecurity },
  },
  {
    label: 'Review access',
    hint: 'Settings',
    keywords: 'security logins passkeys google calendar feed',
    Icon: IconShieldCheck,
    link: { to: paths.settingsAccessReview },
  },
  {
    label: 'Business',
    hint: 'Settings',
    keywords: 'bank details trading name address invoice number',
    Icon: IconBuildingStore,
    link: { to: paths.settingsBusiness },
  },
  {
    label: 'Payment Methods',
    hint: 'Settings',
    keywords: 'card stripe bank transfer',
    Icon: IconWallet,
    link: { to: paths.paymentMethods },
  },
  {
    label: 'Time off',
    hint: 'Settings',
    keywords: 'holidays half term away',
    Icon: IconUmbrella,
    link: { to: paths.settingsTimeOff },
  },
  {
    label: 'Reminders',
    hint: 'Settings',
    keywords: 'templates families settings chase',
    Icon: IconAlarm,
    link: { to: paths.settingsReminders },
  },
  {
    label: 'Activity',
    hint: 'Settings',
    keywords: 'log history audit',
    Icon: IconHistory,
    link: { to: paths.settingsActivity },
  },
  {
    label: 'Your data',
    hint: 'Settings',
    keywords: 'export download delete account',
    Icon: IconDatabase,
    link: { to: paths.settingsYourData },
  },
  {
    label: 'Import',
    hint: 'Settings',
    keywords: 'csv spreadsheet students lessons',
    Icon: IconDatabaseImport,
    link: { to: paths.settingsImport },
  },
  {
    label: 'Erase a person',
    hint: 'Settings',
    keywords: 'privacy gdpr forget',
    Icon: IconUserOff,
    link: { to: paths.settingsErase },
  },
] as const satisfies readonly PageEntry[];
