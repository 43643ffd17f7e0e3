import { systemNow } from '@lessonbook/contract/time';
import { toasts } from '../../lib/toast.ts';
import { hasUnsavedChanges } from '../../lib/unsaved-changes.ts';

/** Long enough to finish typing a sentence. */
const TOAST_MS = 60_000;
const RELOADED_KEY = 'lessonbook-reloaded-at';
/** A second missing file within this time is a fault, not an old version, and reloading again would loop. */
const MIN_RELOAD_INTERVAL_MS = 60_000;

const reload = () => window.location.reload();

/** Runs once per page load: registers the service worker and handles new versions. */
export function watchForUpdates(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!mayReloadForMissingFile()) return;
    // Keeps showing the page until the new one has loaded, instead of an error.
    event.preventDefault();
    reload();
  });
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  void navigator.serviceWorker.register('/service-worker.js').then(
    (registration) => notifyOnUpdate(registration),
    // Registration fails in private windows and when the disk is full; the app then needs the network.
    () => undefined,
  );
}

/** If service workers are blocked, some browsers resolve the promise without a registration. */
function notifyOnUpdate(registration: ServiceWorkerRegistration | undefined): void {
  registration?.addEventListener('updatefound', () => {
    const newWorker = registration.installing;
    // The first worker to be installed is not a new version.
    if (!newWorker || !navigator.serviceWorker.controller) return;
    newWorker.addEventListener('statechange', () => {
      if (newWorker.state === 'activated') showUpdateToast();
    });
  });
}

/** The tutor decides when to reload. If there is unsaved input, the browser prompts first. */
export function showUpdateToast(): void {
  toasts.add({
    kind: 'success',
    title: 'A new version is ready',
    action: { label: 'Reload', run: reload },
    duration: TOAST_MS,
  });
}

/**
 * A file from this version is no longer on the server. Reloading loads the new version, but is not done if unsaved input
 * would be lost.
 */
export function mayReloadForMissingFile(): boolean {
  if (!navigator.onLine || hasUnsavedChanges()) return false;
  const now = systemNow().getTime();
  try {
    const last = Number(sessionStorage.getItem(RELOADED_KEY));
    if (now - last < MIN_RELOAD_INTERVAL_MS) return false;
    sessionStorage.setItem(RELOADED_KEY, String(now));
    return true;
  } catch {
    // Without storage, a second attempt cannot be detected.
    return false;
  }
}
