import { addDaysToDate } from '@lessonbook/contract/dates';
import { notifications } from '@lessonbook/contract/notifications';
import type { PortalLessons, PortalLogin } from '@lessonbook/contract/portal';
import { portalSettings } from '@lessonbook/contract/portal-management';
import type { Mail } from '@lessonbook/fakes/parse-mail';
import type { APIRequestContext } from '@playwright/test';
import { createApiClient } from '../api-client.ts';
import { expectNoViolations } from '../expect-no-accessibility-violations.ts';
import { expect, test } from '../fixtures.ts';
import { button, dialog, link } from '../page-objects/controls.ts';
import { openPhone, signInToPortal } from '../page-objects/family-portal-sign-in.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { recordReplies } from '../record-api-replies.ts';
import { expectReflow } from '../reflow.ts';
import { createTutor, newSignupData, type Tutor } from '../sign-up-tutor.ts';
import { mouse, touchscreen } from './input-driver.ts';

/*
 * What different people can see: a parent with two tutors, the reader of a forwarded email, and a parent who may not see
 * prices.
 */

test("family access: a mother with two tutors signs in once and sees each tutor's lessons only under that tutor", async ({
  page,
  request,
  browser,
  origin,
  tutor,
  api,
  mail,
}) => {
  const email = addressOf('ruth', tutor);
  const otherApi = createApiClient(request, origin);
  await createTutor(request, origin, newSignupData('Tom Okafor'));
  const { today } = await api.dashboard();
  const lesson = { date: addDaysToDate(today, 3), start: '16:30' };
  const maths = await api.addSubject('Maths', 38);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: email });
  await api.addLesson({ ...lesson, student: maya, subject: maths });
  await api.openPortal();
  const piano = await otherApi.addSubject('Piano', 30);
  const ivo = await otherApi.addStudent('Ivo Hale', { carerName: 'R. Hale', carerEmail: email });
  await otherApi.addLesson({ ...lesson, student: ivo, subject: piano });
  await otherApi.openPortal();

  const phone = await signInToPortal(browser, origin, email, mail, 'Your tutors');
  const replies = recordReplies(phone.page);
  const items = phone.page.getByRole('main').getByRole('listitem');
  await expect(items).toHaveText([/Ada Fenwick\s*Maya$/, /Tom Okafor\s*Ivo$/]);
  await expectReflow(phone.page, 'choosing a tutor');
  await expectNoViolations(phone.page);
  const adasData = /Ada|Fenwick|Maya|Maths|Ruth/;
  const tomsData = /Tom|Okafor|Ivo|Piano|R\. Hale/;
  for (const [name, lessonText, otherTutorsData] of [
    ['Ada Fenwick', /^4:30pm to 5:30pmMayaMaths£38/, tomsData],
    ['Tom Okafor', /^4:30pm to 5:30pmIvoPiano£30/, adasData],
  ] as const) {
    await items.filter({ hasText: name }).getByRole('link').click();
    await expect(pageHeading(phone.page, 'Next lessons')).toBeVisible();
    await expect(items).toHaveText([lessonText]);
    await expect(phone.page.locator('body')).not.toContainText(otherTutorsData);
    await expectReflow(phone.page, "one tutor's lessons");
    await expectNoViolations(phone.page);
    await link(phone.page, 'Switch tutor').click();
    await expect(pageHeading(phone.page, 'Your tutors')).toBeVisible();
    await expect(items).toHaveCount(2);
  }
  const lessonReplies = (await replies.all()).filter(({ path }) => path.endsWith('/lessons'));
  const namedTutors = lessonReplies.map(({ text }) => [adasData.test(text), tomsData.test(text)]);
  expect([...new Set(namedTutors.map(String))]).toEqual(['true,false', 'false,true']);

  // Neither tutor can see that the mother has another tutor.
  await open(page, '/settings/family-portal', 'Family portal');
  await expect(page.getByText(/^Last visit/)).toHaveCount(1);
  await expect(page.locator('body')).not.toContainText(tomsData);
  expect(await readAboutContacts(page.request, origin)).not.toMatch(tomsData);
  expect(await readAboutContacts(request, origin)).not.toMatch(adasData);
  expect(phone.consoleGuard.errors(), 'browser errors').toEqual([]);
  await phone.page.context().close();
});

test('family access: the links in a forwarded reminder and invoice show only what is due, and do not sign anyone in', async ({
  browser,
  origin,
  confirmedTutor: tutor,
  api,
  mail,
  runSendRemindersJob,
}) => {
  const email = addressOf('ruth', tutor);
  await api.useDaytimeZone(tutor);
  const maths = await api.addSubject('Maths', 38);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: email });
  const leo = await api.addStudent('Leo Hale', { carerId: maya.carerId });
  await api.addContact(maya, { name: 'David Bell', email: addressOf('david', tutor) });
  const { today } = await api.dashboard();
  const lesson = { subject: maths, place: '3 Hill Road' };
  const taught = { date: addDaysToDate(today, -9), start: '16:00' };
  await api.addCompletedLesson({ ...lesson, ...taught, student: maya });
  // Less than a day away, whatever the time is now.
  const tomorrow = { date: addDaysToDate(today, 1), start: '00:00' };
  await api.addLesson({ ...lesson, ...tomorrow, student: maya });
  const nextWeek = { date: addDaysToDate(today, 7), start: '16:00' };
  await api.addLesson({ ...lesson, ...nextWeek, student: leo });
  await api.openPortal();
  const { id } = await api.findAccount('Ruth Hale');
  await api.sendInvoice((await api.issueInvoice(id, addDaysToDate(today, -30), today)).id);
  await api.startReminders();
  await runSendRemindersJob();
  const links = new Set([
    ...linksIn(await mail.waitFor(email, /^Lesson reminder: Tomorrow, Maya/)),
    ...linksIn(await mail.waitFor(email, /^Invoice 0001: £38/)),
  ]);
  const kinds = [...links].map((url) => new URL(url).pathname.replace(/\/[^/]+$/, ''));
  expect([...new Set(kinds)].toSorted()).toEqual(['/api/unsubscribe', '/pay', '/unsubscribe']);

  const { page, consoleGuard } = await openPhone(browser, origin);
  const replies = recordReplies(page);
  const secrets = /Hill Road|Leo|Hale|David|ruth\.|david\.|\/family\//;
  for (const url of links) {
    const isPaymentPage = url.includes('/pay/');
    await open(page, url, isPaymentPage ? 'Payment to Ada Fenwick' : 'Stop reminders?');
    if (isPaymentPage) await expect(page.getByRole('main')).toContainText(/Maya.*£38/s);
    expect(await page.content()).not.toMatch(secrets);
    expect(await page.context().cookies()).toEqual([]);
    await expectReflow(page, url);
    await expectNoViolations(page);
  }
  expect(JSON.stringify(await replies.all())).not.toMatch(secrets);

  await open(page, '/family', 'Sign in');
  await expect(page.getByLabel('Email address')).toHaveValue('');
  expect(await page.content()).not.toMatch(/Maya|Ruth|Ada/);
  expect((await page.request.get('/api/portal/login')).status()).toBe(401);
  expect(await page.context().cookies()).toEqual([]);
  expect(consoleGuard.errors(), 'browser errors').toEqual([]);
  await page.context().close();
});

test("family access: a father who may not see prices sees one child's lessons but no amounts, and cannot cancel when a fee is due", async ({
  page,
  browser,
  origin,
  hasTouch,
  tutor,
  api,
  mail,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  const email = addressOf('david', tutor);
  const maths = await api.addSubject('Maths', 38);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale' });
  const leo = await api.addStudent('Leo Hale', { carerId: maya.carerId });
  await api.addContact(maya, { name: 'David Bell', email }, { seesLessons: true });
  await api.savePolicy({
    tiers: [{ noticeHours: 240, dayBeforeTime: null, feePercent: 50 }],
    freeLateCancellations: 0,
    illnessNote: null,
  });
  const { today } = await api.dashboard();
  const lesson = { subject: maths, start: '16:30' };
  const soon = await api.addLesson({ ...lesson, student: maya, date: addDaysToDate(today, 3) });
  const late = await api.addLesson({ ...lesson, student: maya, date: addDaysToDate(today, 20) });
  await api.addLesson({ ...lesson, student: leo, date: addDaysToDate(today, 4) });
  await api.openPortal();

  const father = await signInToPortal(browser, origin, email, mail);
  const lessons = father.page.getByRole('main').getByRole('listitem');
  await expect(lessons).toHaveText(['4:30pm to 5:30pmMayaMaths', '4:30pm to 5:30pmMayaMaths']);
  await expectReflow(father.page, 'lessons without prices');
  await expectNoViolations(father.page);
  const [{ publicId } = { publicId: '' }] = (
    (await (await father.page.request.get('/api/portal/login')).json()) as PortalLogin
  ).tutors;
  const path = `/api/portal/tutors/${publicId}`;
  const reply = await father.page.request.get(`${path}/lessons`);
  const { lessons: received } = (await reply.json()) as PortalLessons;
  expect(received.map(({ price, cancellation }) => [price, cancellation])).toEqual([
    [null, null],
    [null, null],
  ]);
  const html = (await (await father.page.reload())?.text()) ?? '';
  await expect(lessons).toHaveCount(2);
  for (const text of [await reply.text(), html, await father.page.content()])
    expect(text).not.toMatch(/£|"(fee|amount)"|Leo|Ruth/);

  const cancel = async ({ sessionId }: { sessionId: number }, fee: number) => {
    const data = { lessons: [{ sessionId, studentId: maya.id, fee }] };
    const headers = { origin };
    return (await father.page.request.post(`${path}/cancellations`, { headers, data })).status();
  };
  expect(await cancel(soon, 1900)).toBe(404);
  expect(await cancel(late, 0)).toBe(404);

  // The tutor allows him to cancel lessons. He does not pay, so he can only cancel lessons for which no fee is due.
  await open(page, `/students/${maya.id}?tab=people`, 'Maya Hale');
  await input.click(button(page, 'Edit David Bell'));
  const form = dialog(page, 'Edit contact');
  await input.check(form.getByRole('checkbox', { name: /^Cancel lessons/ }));
  await input.click(button(form, 'Save contact'));
  await expect(toastWithText(page, 'Contact saved')).toBeVisible();
  await father.page.reload();
  await expect(lessons.first()).toContainText('only the person who pays can cancel');
  await expect(lessons.getByRole('button')).toHaveCount(1);
  expect(await cancel(soon, 1900)).toBe(403);
  expect(await cancel(soon, 0)).toBe(403);
  await expectNoViolations(father.page);
  await lessons
    .last()
    .getByRole('button', { name: /^Cancel lesson for Maya/ })
    .click();
  const sheet = father.page.getByRole('dialog');
  await expect(sheet).toContainText('Free if you cancel now');
  await button(sheet, 'Cancel lesson (free)').click();
  await expect(toastWithText(father.page, 'Cancelled.')).toBeVisible();
  expect((await api.session(late.sessionId)).status).toBe('cancelled');
  expect((await api.session(soon.sessionId)).status).toBe('scheduled');
  expect(father.consoleGuard.errors(), 'browser errors').toEqual([]);
  await father.page.context().close();
});

/** Unique to this test, because all tests share the mailbox. */
const addressOf = (name: string, { username }: Tutor): string =>
  `${name}.${username}@families.example`;

/** Everything that a tutor can read about the portal's contacts and their activity. */
async function readAboutContacts(http: APIRequestContext, origin: string): Promise<string> {
  const read = async (path: string) => (await http.get(`${origin}${path}`)).text();
  const settings = await read(portalSettings.portalSettings.path);
  const list = await read(portalSettings.listPortalContacts.path);
  const contacts = JSON.parse(list) as { id: number }[];
  const texts = [settings, list, await read(notifications.listNotifications.path)];
  for (const { id } of contacts) {
    for (const { path } of [portalSettings.contactActivity, portalSettings.contactBrowsers])
      texts.push(await read(path.replace(':id', String(id))));
  }
  return texts.join('\n');
}

/** The links in all parts of an email. */
function linksIn({ html, text, headers, attachments }: Mail): string[] {
  const calendars = attachments
    .filter(({ contentType }) => contentType === 'text/calendar')
    .map(({ content }) => Buffer.from(String(content), 'base64').toString());
  const hrefs = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  const parts = [...hrefs, text, headers['list-unsubscribe'] ?? '', ...calendars];
  return parts.join('\n').match(/https?:\/\/[^\s<>"]+/g) ?? [];
}
