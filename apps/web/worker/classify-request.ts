import { paths } from '../src/lib/paths.ts';

/**
 * The tutor's pages. Their HTML is the same for every user and may be shown offline. Left out are '/' (its page depends
 * on a cookie), the pages for families (their URLs contain tokens) and the login pages (useless offline).
 */
export const OFFLINE_PAGES: readonly string[] = [
  paths.dashboard,
  paths.schedule,
  paths.reports,
  paths.sessions,
  paths.sessionDetails,
  paths.lessonDetails,
  paths.lessonComplete,
  paths.paymentCreate,
  paths.families,
  paths.family,
  paths.invoices,
  paths.bulkInvoice,
  paths.invoice,
  paths.messages,
  paths.notifications,
  paths.settings,
  paths.mobileSettings,
  paths.profileEdit,
  paths.paymentMethods,
  paths.settingsBusiness,
  paths.settingsTimeOff,
  paths.settingsReminders,
  paths.settingsSecurity,
  paths.settingsAccessReview,
  paths.settingsActivity,
  paths.settingsYourData,
  paths.settingsErase,
  paths.settingsImport,
];

/** In the tutor's URLs every `$name` is a number; anything else, such as a family's token, does not match. */
const pagePatterns = OFFLINE_PAGES.map(
  (path) => new RegExp(`^${path.replace(/\$\w+/g, '\\d{1,10}')}$`),
);

/** An asset's name contains a hash of its content, so the file never changes. */
const ASSET_PATTERN = /^\/assets\/[\w.-]+-[\w-]{8}\.(js|css|woff2)$/;

/** The script that sets the theme before the first paint. Its name has no hash. */
export const THEME_SCRIPT = '/theme.js';

export type RequestKind = 'asset' | 'page' | 'theme';

interface RequestInfo {
  method: string;
  mode: string;
  url: string;
}

/**
 * The requests that the worker responds to. Everything else, most importantly the API, goes straight to the network.
 */
export function classifyRequest(
  { method, mode, url }: RequestInfo,
  origin: string,
): RequestKind | null {
  const { origin: requestOrigin, pathname, search } = new URL(url);
  if (method !== 'GET' || requestOrigin !== origin) return null;
  if (mode === 'navigate') return pagePatterns.some((page) => page.test(pathname)) ? 'page' : null;
  if (search !== '') return null;
  if (pathname === THEME_SCRIPT) return 'theme';
  return ASSET_PATTERN.test(pathname) ? 'asset' : null;
}
