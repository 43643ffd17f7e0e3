import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';

/** Opens a select and picks an option. Without layout, the options count as hidden. */
export async function selectOption(user: UserEvent, field: HTMLElement, name: string | RegExp) {
  await user.click(field);
  const options = await screen.findAllByRole('option', { name, hidden: true });
  // A list that was open before may still be in the DOM.
  await user.click(options.at(-1) as HTMLElement);
}

/**
 * Opens a calendar. Silences console.warn: Happy DOM has no layout, so nothing in the calendar can receive focus and Mantine
 * logs many warnings.
 */
export async function openCalendar(user: UserEvent, field: HTMLElement) {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  await user.click(field);
}
