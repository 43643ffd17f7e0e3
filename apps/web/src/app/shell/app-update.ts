import { systemNow } from '@lessonbook/contract/time';
import { toasts } from '../../lib/toast.ts';
import { unsavedForms } from '../../lib/use-unsaved-changes.ts';

/** Time enough to finish a sentence. */
const TOAST_MS = 60_000;
const RELOADED_KEY = 'lessonbook-reloaded-at';
/** A second missing file within this time is no old version but a fault, and reloading again would never end. */
const RELOAD_PAUSE_MS = 60_000;

const reload = () => window.location.reload();

/** Once for each page: the worker that lets the app open without a network, and what to do when a new version comes. */
export function watchForUpdates(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!mayReloadForMissingFile()) return;
    // The page stays as it is until the new one is here, instead of showing an error first.
    event.preventDefault();
    reload();
  });
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  void navigator.serviceWorker.register('/service-worker.js').then(
    (registration) => notifyOnUpdate(registration),
    // Private windows and full disks refuse; the app then simply needs its network.
    () => undefined,
  );
}

/** Where workers are blocked from outside, some browsers register nothing and say nothing. */
function notifyOnUpdate(registration: ServiceWorkerRegistration | undefined): void {
  registration?.addEventListener('updatefound', () => {
    const coming = registration.installing;
    // The very first worker is no new version.
    if (!coming || !navigator.serviceWorker.controller) return;
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated') showUpdateToast();
    });
  });
}

/** Reloading is the tutor's to decide. With something typed the browser asks once more. */
export function showUpdateToast(): void {
  toasts.add({
    tone: 'done',
    title: 'A new version is ready',
    action: { label: 'Reload', run: reload },
    duration: TOAST_MS,
  });
}

/** A file of this version is gone from the server: a new version has them all, unless reloading would cost somebody words. */
export function mayReloadForMissingFile(): boolean {
  if (!navigator.onLine || unsavedForms.size > 0) return false;
  const now = systemNow().getTime();
  try {
    const last = Number(sessionStorage.getItem(RELOADED_KEY));
    if (now - last < RELOAD_PAUSE_MS) return false;
    sessionStorage.setItem(RELOADED_KEY, String(now));
    return true;
  } catch {
    // Without a memory there is no telling the second time from the first.
    return false;
  }
}
