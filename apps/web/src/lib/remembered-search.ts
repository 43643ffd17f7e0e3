import { redirect } from '@tanstack/react-router';

const PREFIX = 'lessonbook-search:';

interface RememberedKeys {
  /** How the page is displayed. Kept in this browser. */
  views?: readonly string[];
  /** What the page shows. Kept until the tab is closed or the tutor logs out, because a search text may be a name. */
  filters?: readonly string[];
}

interface BeforeLoad {
  cause: 'preload' | 'enter' | 'stay';
  search: object;
  location: { pathname: string; searchStr: string };
}

/**
 * The `beforeLoad` of a route whose filters and views are in the URL: saves the listed search parameters, and restores
 * them if the page is opened without any. Removing a filter on the page itself does not restore it.
 */
export const rememberSearch =
  ({ views = [], filters = [] }: RememberedKeys) =>
  ({ cause, search, location: { pathname, searchStr } }: BeforeLoad): void => {
    const key = PREFIX + pathname;
    if (cause !== 'stay' && searchStr === '') {
      const remembered = { ...read('localStorage', key), ...read('sessionStorage', key) };
      if (Object.keys(remembered).length === 0) return;
      redirect({ to: pathname, search: remembered as never, replace: true, throw: true });
    }
    if (cause === 'preload') return;
    if (views.length > 0) write('localStorage', key, pick(search, views));
    if (filters.length > 0) write('sessionStorage', key, pick(search, filters));
  };

/** Called on logout. */
export function forgetFilters(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // Without storage nothing was saved.
  }
}

const pick = (search: object, keys: readonly string[]): object =>
  Object.fromEntries(
    Object.entries(search).filter(([name, value]) => keys.includes(name) && value !== undefined),
  );

type StorageName = 'localStorage' | 'sessionStorage';

function read(storage: StorageName, key: string): object {
  try {
    const saved: unknown = JSON.parse(window[storage].getItem(key) ?? '{}');
    return typeof saved === 'object' && saved !== null ? saved : {};
  } catch {
    return {};
  }
}

function write(storage: StorageName, key: string, search: object): void {
  try {
    if (Object.keys(search).length === 0) window[storage].removeItem(key);
    else window[storage].setItem(key, JSON.stringify(search));
  } catch {
    // Without storage, the page opens with its defaults.
  }
}
