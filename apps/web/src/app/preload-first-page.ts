import { Shell, UiProvider } from './preloadable-pages.tsx';
import type { AppRouter } from './router.ts';
import { isVisitor, tutorRoute } from './routes/root-and-layout-routes.ts';

/** The longest time the spinner is shown. After that, the page is rendered and the route guards show any error. */
const TIMEOUT_MS = 1000;

/**
 * Waits until a tutor's page can be rendered in full. Loading in small tasks keeps slow phones responsive; rendering
 * first would mount everything in one long task once the current user has loaded.
 */
export async function preloadFirstPage(
  router: AppRouter,
  loading: Promise<void>,
  userRequest: Promise<void>,
) {
  if (!navigator.onLine) return;
  await Promise.race([preloadAll(), new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))]);

  async function preloadAll() {
    await loading;
    if (!router.state.matches.some(({ routeId }) => routeId === tutorRoute.id)) return;
    await userRequest;
    // The route guard that needs the failed chunk reports the error.
    if (!isVisitor(router.options.context)) {
      await Promise.allSettled([UiProvider.preload(), Shell.preload()]);
    }
  }
}
