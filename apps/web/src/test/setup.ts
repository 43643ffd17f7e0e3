import { onlineManager } from '@tanstack/react-query';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { notifyStore } from '../features/lessons/shared/notify-store.ts';
import { toasts } from '../lib/toast.ts';
import { FakeEventSource } from './fake-event-source.ts';
import { rejectPendingCalls } from './mock-api.ts';

/** The first page of a file has its chunks still to compile, on a machine that may be three times slower than usual. */
const WAIT_CEILING_MS = 20_000;
configure({ asyncUtilTimeout: WAIT_CEILING_MS });
// Vitest has no setting for this and gives up after a second.
const { waitFor } = vi;
vi.waitFor = (callback, options = {}) =>
  waitFor(
    callback,
    typeof options === 'number' ? options : { timeout: WAIT_CEILING_MS, ...options },
  );

/* What happy-dom lacks and the component library asks for. */
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
  notifyStore.done();
  localStorage.clear();
  // A call that nobody answered is no trouble of the next test.
  onlineManager.setOnline(true);
});
