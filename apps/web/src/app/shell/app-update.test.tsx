import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Toaster } from '../../components/Toaster.tsx';
import { useUnsavedChanges } from '../../lib/use-unsaved-changes.ts';
import { mayReloadForMissingFile, showUpdateToast } from './app-update.ts';

afterEach(() => sessionStorage.clear());

function Form() {
  const [text, setText] = useState('');
  useUnsavedChanges(text !== '');
  return (
    <input aria-label="Words" value={text} onChange={(event) => setText(event.target.value)} />
  );
}

const leave = () => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented ? 'asks first' : 'goes';
};

test('a missing file of an old version reloads the page once, and not again and again', () => {
  vi.useFakeTimers();
  expect(mayReloadForMissingFile()).toBe(true);
  expect(mayReloadForMissingFile()).toBe(false);
  vi.advanceTimersByTime(61_000);
  expect(mayReloadForMissingFile()).toBe(true);
});

test('nothing reloads by itself, and leaving asks first, while something typed is not saved', async () => {
  const { unmount } = render(<Form />);
  expect(leave()).toBe('goes');
  await userEvent.type(screen.getByLabelText('Words'), 'A');
  expect(leave()).toBe('asks first');
  expect(mayReloadForMissingFile()).toBe(false);
  await userEvent.clear(screen.getByLabelText('Words'));
  expect(leave()).toBe('goes');
  await userEvent.type(screen.getByLabelText('Words'), 'B');
  unmount();
  expect(leave()).toBe('goes');
  expect(mayReloadForMissingFile()).toBe(true);
});

test('without a network a missing file is no old version', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(mayReloadForMissingFile()).toBe(false);
});

test('a new version is announced with a way to it, and waits to be asked', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  render(<Toaster />);
  act(() => showUpdateToast());
  expect(await screen.findByText('A new version is ready')).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect(reload).toHaveBeenCalledOnce();
});
