import { expect, type Locator, type Page } from '@playwright/test';
import { envUrl } from '../fixtures.ts';
import { button, textField } from './controls.ts';
import { pageHeading } from './navigation.ts';

/* Pages of the Google fake */

const accountChooser = (page: Page) => pageHeading(page, 'Choose an account');

export async function chooseGoogleAccount(page: Page, email: string, name: string): Promise<void> {
  await expect(accountChooser(page)).toBeVisible();
  await textField(page, 'Email').fill(email);
  await textField(page, 'Name').fill(name);
  await button(page, 'Continue').click();
}

export async function cancelGoogleSignIn(page: Page): Promise<void> {
  await expect(accountChooser(page)).toBeVisible();
  await button(page, 'Cancel').click();
}

/** The OAuth consent page. */
export const consentPage = (page: Page): Locator =>
  pageHeading(page, 'Lessonbook wants access to your Google Account');

export async function answerConsent(page: Page, user: string, choice: string): Promise<void> {
  await expect(consentPage(page)).toBeVisible();
  await page.getByLabel('Google Account').fill(user);
  await button(page, choice).click();
}

/** Opens Google Calendar in another tab. */
export async function openGoogleCalendar(page: Page, user: string) {
  const tab = await page.context().newPage();
  const event = (title: string) => tab.getByRole('article', { name: title, exact: true });

  async function openCalendar(): Promise<void> {
    await tab.goto(`${envUrl('E2E_GOOGLE_URL')}/calendar/${encodeURIComponent(user)}`);
  }

  async function openChangeForm(title: string): Promise<Locator> {
    await openCalendar();
    await event(title).getByText('Change', { exact: true }).click();
    return event(title);
  }

  return {
    /** `to` is `yyyy-MM-dd HH:mm` in the tutor's time zone. */
    async move(title: string, to: string): Promise<void> {
      const form = await openChangeForm(title);
      await form.getByLabel('New start').fill(to.replace(' ', 'T'));
      await button(form, 'Move').click();
      await expect(event(title)).toContainText(to);
    },
    async remove(title: string): Promise<void> {
      await button(await openChangeForm(title), 'Delete').click();
      await expect(event(title)).toHaveCount(0);
    },
    /** Retries until the sync has updated the event. */
    async expectEvent(title: string, start: string): Promise<void> {
      await expect(async () => {
        await openCalendar();
        await expect(event(title)).toContainText(start, { timeout: 1_500 });
        await expect(event(title)).toHaveCount(1);
      }).toPass({ timeout: 60_000, intervals: [200, 400] });
    },
    close: () => tab.close(),
  };
}
