import { addDaysToDate } from '@lessonbook/contract/dates';
import { portalDetails } from '@lessonbook/contract/portal-contact-details';
import { expectNoViolations } from '../expect-no-accessibility-violations.ts';
import { expect, test } from '../fixtures.ts';
import { button, dialog, link, select, textField } from '../page-objects/controls.ts';
import { signInToPortal } from '../page-objects/family-portal-sign-in.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { expectReflow } from '../reflow.ts';
import { mouse, touchscreen } from './input-driver.ts';

test('family portal: the tutor opens it, each parent signs in with a code and sees only what the tutor allows, until the tutor signs one of them out', async ({
  page,
  browser,
  origin,
  hasTouch,
  tutor,
  api,
  mail,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  const motherEmail = `ruth.${tutor.username}@families.example`;
  const fatherEmail = `david.${tutor.username}@families.example`;
  const maths = await api.addSubject('Maths', 38);
  const maya = await api.addStudent('Maya Hale', {
    carerName: 'Ruth Hale',
    carerEmail: motherEmail,
  });
  const leo = await api.addStudent('Leo Hale', { carerId: maya.carerId });
  const { today } = await api.dashboard();
  // More than a day ahead, so that cancelling is free at any time of day.
  const date = addDaysToDate(today, 3);
  await api.addLesson({
    student: maya,
    subject: maths,
    date,
    start: '16:30',
    end: '17:30',
    place: '3 Hill Road',
  });
  await api.addLesson({
    student: leo,
    subject: maths,
    date,
    start: '18:00',
    place: 'https://meet.example/leo',
  });

  // The father is a second contact of Maya and may see her lessons only.
  await open(page, `/students/${maya.id}?tab=people`, 'Maya Hale');
  await input.click(button(page, 'Add contact'));
  const form = dialog(page, 'Add contact');
  await input.fill(textField(form, 'Name'), 'David Hale');
  await input.fill(textField(form, 'Email'), fatherEmail);
  await input.check(form.getByRole('checkbox', { name: 'Lessons', exact: true }));
  await input.click(button(form, 'Add contact'));
  await expect(toastWithText(page, 'Contact saved')).toBeVisible();

  // The tutor opens the portal after a preview.
  await open(page, '/settings/family-portal', 'Family portal');
  await expect(button(page, 'Open the family portal')).toBeDisabled();
  await input.chooseOption(select(page, 'Preview as'), 'David Hale');
  await input.click(button(page, 'Preview'));
  const preview = dialog(page, 'Preview as David Hale');
  await expect(preview.getByRole('listitem')).toHaveText(['4:30pm to 5:30pmMayaMaths']);
  await input.click(button(preview, 'Close'));
  await input.click(button(page, 'Open the family portal'));
  const confirmation = dialog(page, 'Open the family portal?');
  await expect(confirmation).toContainText('2 people will be able to sign in');
  await input.click(button(confirmation, 'Open the family portal'));
  await expect(toastWithText(page, 'The family portal is open')).toBeVisible();

  // The mother sees both children, with places and prices.
  const mother = await signInToPortal(browser, origin, motherEmail, mail);
  await expect(mother.page.getByRole('main').getByRole('listitem')).toHaveText([
    /^4:30pm to 5:30pmMayaMaths, 3 Hill Road£38Free to cancel until \w+ 4:30pmAsk to moveCancel lesson$/,
    /^6pm to 7pmLeoMaths, online£38Meeting linkFree to cancel until \w+ 6pmAsk to moveCancel lesson$/,
  ]);
  await expect(mother.page.getByRole('heading', { level: 2 })).toHaveText(/^\w+day /);
  await mail.waitFor(motherEmail, /^New sign-in to the family portal/);
  await expectReflow(mother.page, 'the next lessons');
  await expectNoViolations(mother.page);

  // The mother adds the lessons to her calendar.
  await button(mother.page, 'Add to my calendar').click();
  const sheet = dialog(mother.page, 'Add to my calendar');
  await button(sheet, 'Create the address').click();
  const feed = await mother.page.request.get((await sheet.locator('code').textContent()) ?? '');
  expect(await feed.text()).toMatch(/SUMMARY:Maya: Maths[\s\S]*SUMMARY:Leo: Maths/);
  await expectReflow(mother.page, 'the calendar address');
  await expectNoViolations(mother.page);
  await button(sheet, 'Close').click();

  // The father sees Maya's time and subject, and nothing else.
  const father = await signInToPortal(browser, origin, fatherEmail, mail);
  const fatherLessons = father.page.getByRole('main').getByRole('listitem');
  await expect(fatherLessons).toHaveText(['4:30pm to 5:30pmMayaMaths']);
  expect(await father.page.content()).not.toMatch(/Leo|Hill Road|£|meet\.example/);

  // After a reload, the page already contains the lessons, so it sends no request to the API.
  const paths: string[] = [];
  father.page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  const reloaded = await father.page.reload();
  await expect(fatherLessons).toHaveText(['4:30pm to 5:30pmMayaMaths']);
  expect(await reloaded?.text()).not.toMatch(/Leo|Hill Road|£|meet\.example/);
  expect(paths.filter((path) => path.startsWith('/api/'))).toEqual([]);

  // The tutor signs the mother out; her next request takes her to the sign-in page. The father stays signed in.
  await page.reload();
  await expect(pageHeading(page, 'Family portal')).toBeVisible();
  await expect(page.getByText(/^Last visit/)).toHaveCount(2);
  await input.click(button(page, 'More options for Ruth Hale'));
  await input.chooseMenuItem(page.getByRole('menuitem', { name: 'Sign out everywhere' }));
  await expect(toastWithText(page, 'Ruth Hale has been signed out everywhere')).toBeVisible();
  // The page sends two requests at once, and the second may also get a 401.
  const [, , publicId = ''] =
    (await link(mother.page, 'Details').getAttribute('href'))?.split('/') ?? [];
  const { path } = portalDetails.portalDetails;
  mother.consoleGuard.allowErrorResponse(path.replace(':publicId', publicId), 401);
  await link(mother.page, 'Details').click();
  await expect(pageHeading(mother.page, 'Sign in')).toBeVisible();
  await expect(mother.page.getByText("You've been signed out.")).toBeVisible();
  await link(father.page, 'Details').click();
  await expect(father.page.getByText(fatherEmail)).toBeVisible();
  await expect(father.page.getByText('This browser')).toBeVisible();
  await expectReflow(father.page, 'the details');
  await expectNoViolations(father.page);

  for (const { page: familyPage, consoleGuard } of [mother, father]) {
    expect(consoleGuard.errors(), 'browser errors').toEqual([]);
    await familyPage.context().close();
  }
});
