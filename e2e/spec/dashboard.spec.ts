import { expect, test } from '../fixtures.ts';
import { open } from '../page-parts.ts';

test('dashboard: the three lists, each saying that it is empty [DASH-01..03]', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/', 'Good to see you, Ada');
  const lists = {
    'Upcoming Lessons': 'No lessons in the book yet.',
    'Unpaid Past Lessons': 'Nobody owes you anything.',
    'Incomplete Lessons': 'Nothing to tick off: every lesson is dealt with.',
  };
  for (const [title, words] of Object.entries(lists)) {
    const list = page.getByRole('region', { name: title, exact: true });
    await expect(list.getByRole('heading', { level: 2, name: title })).toBeVisible();
    await expect(list).toContainText(words);
  }
});

test('dashboard: an address that is not confirmed yet can be mailed again', async ({
  page,
  tutor,
  mail,
}) => {
  await open(page, '/', 'Good to see you, Ada');
  const banner = page.getByRole('region', { name: 'Confirm your e-mail' });
  await expect(banner).toContainText(tutor.email);
  const first = await mail.waitFor(tutor.email, /Confirm your email/);
  await banner.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'E-mail sent' })).toBeVisible();
  await expect
    .poll(async () => (await mail.waitFor(tutor.email, /Confirm your email/)).id)
    .toBeGreaterThan(first.id);
});
