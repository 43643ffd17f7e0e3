import type { RegisteredRouter } from '@tanstack/react-router';
import type { PageInfo } from '../../build/pages-file.ts';
import { tutorRoute } from './tutor.ts';

/** All pages of the app, for the build: the service worker, the tests in the browser and the pictures read the list. */
export function listPages(router: RegisteredRouter): PageInfo[] {
  return Object.values(router.routesByPath).map(({ fullPath, parentRoute, options }) => {
    const { title, section = null } = options.staticData ?? {};
    const isTutorPage = parentRoute.id === tutorRoute.id;
    if (!title || isTutorPage !== (section !== null)) {
      throw new Error(`${fullPath}: a page needs a title, and a tutor page needs a section`);
    }
    return { path: fullPath, title, section, opensOffline: isTutorPage && fullPath !== '/' };
  });
}
