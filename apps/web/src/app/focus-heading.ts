import type { AppRouter } from './router.ts';

const TIMEOUT_MS = 3_000;

/**
 * Moves the focus to the page's heading after a navigation, so that keyboard and screen reader users continue there
 * and not at a link that no longer exists.
 */
export function focusHeadingOnNavigation(router: AppRouter) {
  let stopWaiting = () => {};

  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return;
    stopWaiting();
    if (focusHeading()) return;

    // The page's chunk is still loading. If the user has moved the focus meanwhile, it stays where it is.
    const observer = new MutationObserver(() => {
      const isFree = document.activeElement === document.body;
      if (!isFree || focusHeading()) stopWaiting();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    const timer = setTimeout(() => stopWaiting(), TIMEOUT_MS);
    stopWaiting = () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  });
}

function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (!heading) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}
