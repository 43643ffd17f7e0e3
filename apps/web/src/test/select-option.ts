import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { vi } from 'vitest';

/** Opens a list of choices and takes one. Without a layout the list counts as hidden. */
export async function selectOption(user: UserEvent, field: HTMLElement, name: string | RegExp) {
  await user.click(field);
  const options = await screen.findAllByRole('option', { name, hidden: true });
  // A list that was open before may still be in the page.
  await user.click(options.at(-1) as HTMLElement);
}

/** Opens a calendar. Without a layout nothing in it can take the focus, which the library deplores at great length. */
export async function openCalendar(user: UserEvent, field: HTMLElement) {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  await user.click(field);
}
