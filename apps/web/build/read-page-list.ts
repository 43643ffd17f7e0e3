import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface PageInfo {
  path: string;
  title: string;
  /** The page's item in the navigation, for tutor pages. */
  section: string | null;
  /**
   * True for tutor pages, whose HTML is the same for every user. Excludes '/' (its page depends on a cookie) and
   * the login pages (useless offline).
   */
  opensOffline: boolean;
}

/** The list of the app's pages, stored next to the build manifest. */
export const PAGES_FILE = '.vite/pages.json';

export const readPages = async (folder: string): Promise<PageInfo[]> =>
  JSON.parse(await readFile(join(folder, PAGES_FILE), 'utf8')) as PageInfo[];
