import type { RegisteredRouter } from '@tanstack/react-router';

const TIMEOUT_MS = 3_000;

/**
 * Moves focus to the page heading after navigation, so that keyboard and screen reader users continue from there
 * rather than from a link that no longer exists.
 */
export function focusHeadingOnNavigation(router: RegisteredRouter) {
  let stopWaiting = () => {};

  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return;
    stopWaiting();
    if (focusHeading()) return;

    // The page's chunk is still loading. If the user moves focus in the meantime, it stays where they put it.
    const observer = new MutationObserver(() => {
      const isBodyFocused = document.activeElement === document.body;
      if (!isBodyFocused || focusHeading()) stopWaiting();
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
