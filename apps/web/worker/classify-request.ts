import { paths } from '../src/lib/paths.ts';

/**
 * The tutor's screens, whose page is the same for everybody and may be shown without a network. Not '/', which the server
 * chooses by the cookie; no page for families, whose addresses hold tokens; none for coming in, which is of no use alone.
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

/** In the tutor's addresses every `$name` is a number; anything else there, such as a family's token, is not ours. */
const pagePatterns = OFFLINE_PAGES.map(
  (path) => new RegExp(`^${path.replace(/\$\w+/g, '\\d{1,10}')}$`),
);

/** An asset carries the hash of its content in its name, so it is the same for ever and for everybody. */
const ASSET = /^\/assets\/[\w.-]+-[\w-]{8}\.(js|css|woff2)$/;

/** Part of the page that is not hashed: it sets the theme before the first paint. */
export const THEME_SCRIPT = '/theme.js';

export type RequestKind = 'asset' | 'page' | 'theme';

interface RequestInfo {
  method: string;
  mode: string;
  url: string;
}

/** What the worker answers. Everything else, the API first of all, goes to the network as if there were no worker. */
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
