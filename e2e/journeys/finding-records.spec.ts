import { expect, test } from '../fixtures.ts';
import { button, row } from '../page-objects/controls.ts';
import { open, pageHeading } from '../page-objects/navigation.ts';
import { mouse, touchscreen } from './input-driver.ts';

test.use({ fixedClock: true });

test('F107 F141 everything about a student is two taps from Home with search', async ({
  page,
  hasTouch,
  api,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  await api.addStudent('Noah Berg');
  await api.addStudent('Maya Hale', { notes: 'Left-handed.' });
  await open(page, '/', 'Good to see you, Ada');
  await input.click(page.getByRole('button', { name: /^Search/ }));
  await page.keyboard.type('maya');
  await input.click(page.getByRole('option', { name: /^Maya Hale/ }).first());
  await expect(pageHeading(page, 'Maya Hale')).toBeVisible();
  expect(input.actionCount(), 'taps from Home').toBe(2);
});

test('F107 everything about a student is at most three taps from Home without search', async ({
  page,
  hasTouch,
  api,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  await api.addStudent('Maya Hale');
  await open(page, '/', 'Good to see you, Ada');
  // On the desktop, the sidebar has its own item for students.
  if (hasTouch) await input.click(button(page, 'More'));
  await input.click(page.getByRole('link', { name: /^Students/ }).first());
  await input.click(row(page, 'Maya Hale').getByRole('link'));
  await expect(page.getByRole('heading', { name: 'Maya Hale' }).first()).toBeVisible();
  expect(input.actionCount(), 'taps from Home').toBe(hasTouch ? 3 : 2);
});
