import { onlineManager } from '@tanstack/react-query';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { notifyFamiliesStore } from '../features/lessons/shared/notify-families-store.ts';
import { toasts } from '../lib/toast.ts';
import { FakeEventSource, rejectPendingCalls } from './mock-api.ts';

/** The first page in a file still has to compile its chunks, on a machine that may be three times slower than usual. */
const WAIT_TIMEOUT_MS = 20_000;
configure({ asyncUtilTimeout: WAIT_TIMEOUT_MS });
// Vitest has no setting for this; its default is one second.
const { waitFor } = vi;
vi.waitFor = (callback, options = {}) =>
  waitFor(
    callback,
    typeof options === 'number' ? options : { timeout: WAIT_TIMEOUT_MS, ...options },
  );

/* Browser APIs that happy-dom lacks and the component library needs. */
class NoResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
vi.stubGlobal('ResizeObserver', NoResizeObserver);
Object.defineProperty(window, 'ResizeObserver', { value: NoResizeObserver, writable: true });
Object.defineProperty(window, 'EventSource', { value: FakeEventSource });
Object.defineProperty(window, 'matchMedia', {
  writable: true,
  value: (media: string) => ({
    media,
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
    dispatchEvent: () => false,
  }),
});
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};

afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  await rejectPendingCalls();
  toasts.clear();
  notifyFamiliesStore.close();
  localStorage.clear();
  sessionStorage.clear();
  // A failed request must not leave the next test offline.
  onlineManager.setOnline(true);
});
