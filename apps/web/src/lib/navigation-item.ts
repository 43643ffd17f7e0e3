import type { NavigationCounts } from '@lessonbook/contract/dashboard';

/** What a badge counts: things that the tutor has to deal with. */
export type NavigationBadge = 'overdueInvoices' | 'messagesToSend' | 'unreadNotifications';

/** A navigation item. Its label and icon are those of the page's first command. */
export interface NavigationItem {
  /** The position among all items. */
  order: number;
  /** The sidebar has a line between two groups; 'account' is at the bottom. */
  group: 'planning' | 'people' | 'business' | 'account';
  /** Where phones and tablets show the item. */
  phone: readonly ('header' | 'bottom-bar' | 'more')[];
  /** Opens the page when pressed after G. */
  key: string;
  badge?: NavigationBadge;
  /** A second line in the More menu. */
  hint?: string | ((counts: NavigationCounts) => string);
}
