import { paths } from '../src/lib/paths.ts';

/**
 * The tutor's pages: their HTML is the same for every user and may be shown without a network. Not '/', which the
 * server chooses by the cookie; not the pages for families, whose URLs contain tokens; not the login pages, which are
 * useless offline.
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
  paths.settingsActivity,
  paths.settingsYourData,
  paths.settingsErase,
  paths.settingsImport,
];

/** In the tutor's URLs every `$name` is a number; anything else, such as a family's token, does not match. */
const pagePatterns = OFFLINE_PAGES.map(
  (path) => new RegExp(`^${path.replace(/\$\w+/g, '\\d{1,10}')}$`),
);

/** An asset has the hash of its content in its name, so it never changes. */
const ASSET = /^\/assets\/[\w.-]+-[\w-]{8}\.(js|css|woff2)$/;

/** A script without a hash in its name, which sets the theme before the first paint. */
export const THEME_SCRIPT = '/theme.js';

export type RequestKind = 'asset' | 'page' | 'theme';

interface RequestInfo {
  method: string;
  mode: string;
  url: string;
}

/** What the worker responds to. Everything else, above all the API, goes straight to the network. */
export function classifyRequest(
  { method, mode, url }: RequestInfo,
  origin: string,
): RequestKind | null {
  const { origin: from, pathname, search } = new URL(url);
  if (method !== 'GET' || from !== origin) return null;
  if (mode === 'navigate') return pagePatterns.some((page) => page.test(pathname)) ? 'page' : null;
  if (search !== '') return null;
  if (pathname === THEME_SCRIPT) return 'theme';
  return ASSET.test(pathname) ? 'asset' : null;
}
