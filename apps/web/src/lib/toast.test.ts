import { expect, test, vi } from 'vitest';
import { createToastStore, TOAST_REMOVE_DELAY_MS } from './toast.ts';

test('[TOAST-18] a toast can be added', () => {
  const store = createToastStore();
  const listener = vi.fn();
  store.subscribe(listener);
  store.add({ kind: 'success', title: 'Profile Updated' });
  expect(store.current()).toMatchObject({ title: 'Profile Updated', open: true });
  expect(listener).toHaveBeenCalledTimes(1);
});

test('[TOAST-19] a toast can be updated', () => {
  const store = createToastStore();
  const id = store.add({ kind: 'success', title: 'Sending' });
  store.update(id, { title: 'Sent', message: 'To Maya' });
  expect(store.current()).toMatchObject({ id, title: 'Sent', message: 'To Maya', open: true });
});

test('[TOAST-20] a dismissed toast has open set to false', () => {
  const store = createToastStore();
  const id = store.add({ kind: 'success', title: 'Profile Updated' });
  store.dismiss(id);
  expect(store.current()).toMatchObject({ id, open: false });
});

test('[CONST-11] a dismissed toast is removed after 1,000,000 ms', () => {
  vi.useFakeTimers();
  const store = createToastStore();
  store.dismiss(store.add({ kind: 'success', title: 'Profile Updated' }));
  expect(TOAST_REMOVE_DELAY_MS).toBe(1_000_000);
  vi.advanceTimersByTime(999_999);
  expect(store.current()).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(store.current()).toBeNull();
});

test('a hovered toast does not close, and its timer restarts afterwards', () => {
  vi.useFakeTimers();
  const store = createToastStore();
  const id = store.add({ kind: 'success', title: 'Profile Updated' });
  store.pause(id);
  vi.advanceTimersByTime(60_000);
  expect(store.current()?.open).toBe(true);
  store.resume(id);
  vi.advanceTimersByTime(5_000);
  expect(store.current()?.open).toBe(false);
});

test('dismissing or updating a replaced toast does not affect the new one', () => {
  const store = createToastStore();
  const old = store.add({ kind: 'success', title: 'First' });
  store.add({ kind: 'success', title: 'Second' });
  store.dismiss(old);
  store.update(old, { title: 'First again' });
  expect(store.current()).toMatchObject({ title: 'Second', open: true });
});
