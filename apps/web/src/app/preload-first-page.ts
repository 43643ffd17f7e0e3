import { Shell, UiProvider } from './preloadable-pages.tsx';
import type { AppRouter } from './router.ts';
import { isVisitor, tutorRoute } from './routes/root.ts';

/** A spinner may stay for so long without a word; then the gates say what is amiss. */
const TIMEOUT_MS = 1000;

/**
 * Until a tutor's screen can be drawn as a whole: in small pieces, between which a slow phone listens. Once the app is drawn,
 * the answer who is signed in would mount all of it in one long piece.
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
    // One that cannot be fetched is told of by the gate that wants it.
    if (!isVisitor(router.options.context)) {
      await Promise.allSettled([UiProvider.preload(), Shell.preload()]);
    }
  }
}
