import type { AppRouter } from './router.ts';

const TIMEOUT_MS = 3_000;

/**
 * After a change of page the focus goes to its heading, so that keyboard and screen reader go on from there
 * and not from a link that is gone.
 */
export function focusHeadingOnNavigation(router: AppRouter) {
  let stopWaiting = () => {};

  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return;
    stopWaiting();
    if (focusHeading()) return;

    // The page's own chunk is still on its way. Whoever has moved the focus meanwhile keeps it.
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
