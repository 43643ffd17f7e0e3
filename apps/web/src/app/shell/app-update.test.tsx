import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Toaster } from '../../components/Toaster.tsx';
import { useUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { mayReloadForMissingFile, showUpdateToast } from './app-update.ts';

afterEach(() => sessionStorage.clear());

function Form() {
  const [text, setText] = useState('');
  useUnsavedChanges(text !== '', { onDiscard: () => {}, waitForSave: async () => {} });
  return <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />;
}

const dispatchBeforeUnload = () => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented ? 'prompts' : 'leaves';
};

test('a missing file from an old version reloads the page only once', () => {
  vi.useFakeTimers();
  expect(mayReloadForMissingFile()).toBe(true);
  expect(mayReloadForMissingFile()).toBe(false);
  vi.advanceTimersByTime(61_000);
  expect(mayReloadForMissingFile()).toBe(true);
});

test('unsaved input prevents an automatic reload, and the browser prompts before leaving the page', async () => {
  const { unmount } = render(<Form />);
  expect(dispatchBeforeUnload()).toBe('leaves');
  await userEvent.type(screen.getByLabelText('Text'), 'A');
  expect(dispatchBeforeUnload()).toBe('prompts');
  expect(mayReloadForMissingFile()).toBe(false);
  await userEvent.clear(screen.getByLabelText('Text'));
  expect(dispatchBeforeUnload()).toBe('leaves');
  await userEvent.type(screen.getByLabelText('Text'), 'B');
  unmount();
  expect(dispatchBeforeUnload()).toBe('leaves');
  expect(mayReloadForMissingFile()).toBe(true);
});

test('offline, a missing file does not reload the page', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(mayReloadForMissingFile()).toBe(false);
});

test('a new version shows a toast and reloads only on click', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  render(<Toaster />);
  act(() => showUpdateToast());
  expect(await screen.findByText('A new version is ready')).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect(reload).toHaveBeenCalledOnce();
});
