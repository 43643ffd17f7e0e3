import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { toastError, toastSuccess, toastUndo } from '../lib/toast.ts';
import { Toaster } from './Toaster.tsx';

test('[CONST-09] a toast closes automatically after 5000 ms', () => {
  vi.useFakeTimers();
  render(<Toaster />);
  act(() => void toastSuccess('Profile Updated'));
  act(() => void vi.advanceTimersByTime(4_999));
  expect(screen.queryByText('Profile Updated')).not.toBeNull();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.queryByText('Profile Updated')).toBeNull();
});

test('[CONST-10] one toast is visible at a time: a new one replaces the old one', () => {
  render(<Toaster />);
  act(() => void toastSuccess('Login successful', 'Welcome back, Ada!'));
  act(() => void toastSuccess('Profile Updated'));
  expect(screen.queryByText('Login successful')).toBeNull();
  expect(screen.getByText('Profile Updated')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: 'Close' })).toHaveLength(1);
});

test('[ERR-05] an error toast has the destructive style and is announced immediately', () => {
  render(<Toaster />);
  act(() => void toastError('Too short'));
  const alert = screen.getByRole('alert');
  expect(alert.dataset.kind).toBe('error');
  expect(alert.textContent).toContain('Too short');
  act(() => void toastSuccess('Profile Updated'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('[ERR-06] an error toast is titled Error by default', () => {
  render(<Toaster />);
  act(() => void toastError('Too short'));
  expect(screen.getByText('Error')).toBeTruthy();
  act(() => void toastError('Too short', 'Login failed'));
  expect(screen.queryByText('Error')).toBeNull();
  expect(screen.getByText('Login failed')).toBeTruthy();
});

test('a toast can be closed with its button', () => {
  render(<Toaster />);
  act(() => void toastSuccess('Profile Updated'));
  act(() => screen.getByRole('button', { name: 'Close' }).click());
  expect(screen.queryByText('Profile Updated')).toBeNull();
});

test('an undo toast lasts ten seconds and does not close while focused', () => {
  vi.useFakeTimers();
  render(<Toaster />);
  const undo = vi.fn();
  act(() => void toastUndo('Lesson completed', undo));
  act(() => void vi.advanceTimersByTime(9_000));
  const button = screen.getByRole('button', { name: 'Undo' });
  act(() => button.focus());
  act(() => void vi.advanceTimersByTime(60_000));
  act(() => button.click());
  expect(undo).toHaveBeenCalledTimes(1);
  expect(screen.queryByText('Lesson completed')).toBeNull();
});

test('F63 a new toast does not replace one with an Undo button', () => {
  render(<Toaster />);
  const undoFirst = vi.fn();
  act(() => void toastUndo('Lesson completed', undoFirst));
  act(() => void toastUndo('Lesson cancelled', vi.fn()));
  act(() => void toastSuccess('Profile Updated'));
  act(() => void toastError('Too short'));
  expect(screen.queryByText('Profile Updated')).toBeNull();
  expect(screen.getByText('Too short')).toBeTruthy();
  act(() => screen.getAllByRole('button', { name: 'Undo' })[0]?.click());
  expect(undoFirst).toHaveBeenCalledTimes(1);
  expect(screen.getByText('Lesson cancelled')).toBeTruthy();
});

test('F63 an alert is not inside another live region', () => {
  render(<Toaster />);
  act(() => void toastSuccess('Profile Updated'));
  expect(screen.getByRole('status').textContent).toContain('Profile Updated');
  act(() => void toastError('Too short'));
  expect(screen.getByRole('alert').parentElement?.closest('[role], [aria-live]')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('');
});
