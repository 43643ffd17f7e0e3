/** In the tutor's URLs every `$name` is a number; anything else, such as a family's token, does not match. */
const toPattern = (path: string) => new RegExp(`^${path.replace(/\$\w+/g, '\\d{1,10}')}$`);

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
 * `pages` are the paths of the pages that open offline.
 */
export function classifyRequest(
  { method, mode, url }: RequestInfo,
  origin: string,
  pages: readonly string[],
): RequestKind | null {
  const { origin: requestOrigin, pathname, search } = new URL(url);
  if (method !== 'GET' || requestOrigin !== origin) return null;
  if (mode === 'navigate') {
    return pages.some((path) => toPattern(path).test(pathname)) ? 'page' : null;
  }
  if (search !== '') return null;
  if (pathname === THEME_SCRIPT) return 'theme';
  return ASSET_PATTERN.test(pathname) ? 'asset' : null;
}
