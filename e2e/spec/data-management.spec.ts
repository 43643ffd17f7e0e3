import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from '../fixtures.ts';
import { expectPath, open, toastWithText } from '../page-objects/navigation.ts';

test('your data: exports everything as a file that can be opened', async ({ page, tutor }) => {
  await open(page, '/settings/your-data', 'Your data');
  await page.getByRole('button', { name: 'Export everything' }).click();
  const download = page.getByRole('button', { name: /^Download \(\d+ kB\)$/ });
  await expect(download).toBeVisible();
  const downloadPromise = page.waitForEvent('download');
  await download.click();
  const file = await downloadPromise;
  expect(file.suggestedFilename()).toMatch(/^lessonbook-\d{4}-\d\d-\d\d\.zip$/);
  const files = unzipSync(new Uint8Array(await readFile(await file.path())));
  const account = JSON.parse(
    strFromU8(files['json/login_directory.json'] as Uint8Array),
  ) as object[];
  expect(account).toMatchObject([{ username: tutor.username, email: tutor.email }]);
  expect(Object.keys(files)).toContain('csv/students.csv');
  await open(page, '/settings/activity', 'Activity');
  await expect(page.getByText('The export of all data was downloaded.')).toBeVisible();
});

test('your data: schedules the account deletion, announces it on every page and cancels it', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/settings/your-data', 'Your data');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  const banner = page.getByRole('region', { name: 'Account deletion' });
  await expect(banner).toBeVisible();
  await open(page, '/schedule', 'Schedule');
  await expect(banner).toBeVisible();
  await banner.getByRole('button', { name: 'Keep my account' }).click();
  await expect(toastWithText(page, "Your account won't be deleted")).toBeVisible();
  await expect(banner).toBeHidden();
});

test('F114 import: a row with an error is left out, and importing the corrected file adds it', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/settings/import', 'Import');
  const chooseFile = async (text: string) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    const buffer = Buffer.from(text, 'utf8');
    await (await chooser).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
  };
  await chooseFile('Name;Email\nMaya Okafor;maya@family.example\nTom Bad;not an address\n');
  await expect(page.getByText('1 new, 1 with errors, left out.')).toBeVisible();
  await expect(page.getByText('Email: Invalid email')).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 student' }).click();
  await expect(toastWithText(page, '1 student imported')).toBeVisible();
  await open(page, '/settings/import', 'Import');
  await chooseFile('Name;Email\nMaya Okafor;maya@family.example\nTom Good;tom@family.example\n');
  await expect(page.getByText('1 new, 1 already in Lessonbook.')).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 student' }).click();
  await expect(toastWithText(page, '1 student imported')).toBeVisible();
  await expectPath(page, '/schedule?view=students');
  await expect(page.getByRole('heading', { name: 'Tom Good' })).toBeVisible();
});
