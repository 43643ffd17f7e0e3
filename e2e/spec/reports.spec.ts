import { expect, test } from '../fixtures.ts';
import { button, download, link, readPdfText, region } from '../page-objects/controls.ts';
import { expectPath, open, pageHeading } from '../page-objects/navigation.ts';

test.use({ fixedClock: true });

test('reports: shows the periods, the total and an empty list when there are no payments [REP-01..04, REP-06, REP-11]', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/reports', 'Tutor Earnings Report');
  const period = page.getByRole('combobox', { name: 'Period' });
  await expect(period).toHaveValue('last_month');
  await expect(period.locator('option:checked')).toHaveText('Last Month');
  await expect(period.locator('option')).toHaveText([
    'Last Month',
    'Last Quarter',
    'Year to Date',
    'All Time',
    'This month',
    'Next month',
    'This tax year',
    'Last tax year',
    'Custom dates',
  ]);
  await expect(page.getByRole('heading', { level: 2, name: 'Total Earnings' })).toBeVisible();
  await expect(page.getByText('£0.00', { exact: true })).toBeVisible();
  await expect(region(page, 'Payments')).toContainText('No payments found');

  await link(page, 'Owed').click();
  await expectPath(page, '/reports?show=owed');
  await expect(page.getByText('No one owes you anything.')).toBeVisible();
});

test('reports: shows payments by period and currency, and exports them [REP-02, REP-04, REP-05, REP-11]', async ({
  page,
  api,
}) => {
  const maths = await api.addSubject('Maths', 38);
  const french = await api.addSubject('French', 40, { currency: 'EUR' });
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale' });
  const theo = await api.addStudent('Theo Lind');
  await api.addCompletedLesson({
    student: maya,
    subject: maths,
    date: '2030-02-05',
    start: '16:00',
  });
  await api.addCompletedLesson({
    student: theo,
    subject: french,
    date: '2030-02-12',
    start: '16:00',
  });
  await api.addCompletedLesson({
    student: maya,
    subject: maths,
    date: '2030-03-05',
    start: '16:00',
  });
  const [ruth, theoAccount] = [
    await api.findAccount('Ruth Hale'),
    await api.findAccount('Theo Lind'),
  ];
  const fromRuth = { familyId: ruth.id, amount: 3800, currency: 'GBP', chargeIds: [] } as const;
  await api.recordPayment({ ...fromRuth, chargeIds: [], method: 'cash', date: '2030-02-06' });
  await api.recordPayment({
    familyId: theoAccount.id,
    amount: 4000,
    currency: 'EUR',
    method: 'bank_transfer',
    date: '2030-02-13',
    chargeIds: [],
  });
  const latestPayment = await api.recordPayment({
    ...fromRuth,
    chargeIds: [],
    method: 'cash',
    date: '2030-03-06',
  });
  await api.refundPayment(latestPayment.id, { amount: 1000, date: '2030-03-07' });
  // Payments for an archived student still count.
  await api.archiveStudent(maya.id);

  await open(page, '/reports', 'Tutor Earnings Report');
  const period = page.getByRole('combobox', { name: 'Period' });
  const total = page.getByRole('heading', { name: 'Total Earnings' }).locator('..');
  const payments = region(page, 'Payments').getByRole('listitem');

  await test.step('last month: two currencies with separate totals', async () => {
    await expect(total).toContainText(/€40\.00.*£38\.00/s);
    await expect(payments).toHaveText([
      /Theo Lind.*Wed 13 Feb.*€40 $/,
      /Maya Hale.*Wed 6 Feb, Ruth Hale.*£38 $/,
    ]);
    await expect(region(page, 'By student').getByRole('row')).toHaveText([/Theo Lind.*€40/]);
    await page.getByRole('radio', { name: 'GBP' }).check();
    await expect(region(page, 'By student').getByRole('row')).toHaveText([/Maya Hale.*£38/]);
    await expect(region(page, 'By subject').getByRole('row')).toHaveText([/Maths.*£38/]);
  });

  await test.step('this month: refunds are deducted', async () => {
    await period.selectOption('This month');
    await expectPath(page, '/reports?period=this_month');
    await expect(total).toContainText('£28.00');
    await expect(total).toContainText('Received £38.00, refunded £10.00');
    await expect(total).toContainText('£10.00 less than last month');
    await expect(payments).toHaveText([
      /Maya Hale.*Refund, Thu 7 Mar, Ruth Hale.*-£10 $/,
      /Maya Hale.*Wed 6 Mar, Ruth Hale.*£38 $/,
    ]);
    await period.selectOption('Last Quarter');
    await expect(total).toContainText('£0.00');
    await expect(region(page, 'Payments')).toContainText('No payments found');
  });

  await test.step('all time: kept after a reload and used for the export', async () => {
    await period.selectOption('All Time');
    await expect(total).toContainText(/£66\.00.*€40\.00/s);
    await page.reload();
    await expect(period.locator('option:checked')).toHaveText('All Time');
    await expect(payments).toHaveCount(4);

    await button(page, 'Export').click();
    const csv = await download(page, page.getByRole('menuitem', { name: 'Export CSV' }));
    expect(csv.name).toBe('earnings-all_time-2030-03-12.csv');
    expect(csv.data.toString().replace('\uFEFF', '').trim().split('\r\n')).toEqual([
      'Date,Kind,Payer,Students,Amount,Currency,Method,Note',
      '2030-03-07,Refund,Ruth Hale,Maya Hale,-10,GBP,Cash,',
      '2030-03-06,Payment,Ruth Hale,Maya Hale,38,GBP,Cash,',
      '2030-02-13,Payment,Theo Lind,Theo Lind,40,EUR,Bank transfer,',
      '2030-02-06,Payment,Ruth Hale,Maya Hale,38,GBP,Cash,',
    ]);
    await button(page, 'Export').click();
    const pdf = await download(page, page.getByRole('menuitem', { name: 'Export PDF' }));
    expect(await readPdfText(pdf.data)).toContain('Tutor Earnings Report');
  });

  await test.step('F143 custom dates, and only the payments for one student', async () => {
    await period.selectOption('Custom dates');
    await page.getByRole('textbox', { name: 'First day' }).fill('1 Feb 2030');
    await page.getByRole('textbox', { name: 'Last day' }).fill('28 Feb 2030');
    await page.getByRole('textbox', { name: 'Last day' }).press('Enter');
    await expectPath(page, '/reports?period=custom&from=2030-02-01&to=2030-02-28');
    await expect(payments).toHaveCount(2);
    await link(page, 'Theo Lind').click();
    await expect(total).toContainText('€40.00');
    await expect(payments).toHaveCount(1);
    await link(page, 'Show everything').click();
    await expect(payments).toHaveCount(2);
  });

  await test.step('F143 hours and attendance of the same lessons', async () => {
    await link(page, 'Lessons').click();
    await expect(page.getByRole('heading', { name: 'Hours taught' }).locator('..')).toContainText(
      '2 hrs',
    );
    await expect(region(page, 'Attendance')).toContainText('2 of 2 (100%)');
    await expect(region(page, 'Lessons').getByRole('listitem')).toHaveCount(2);
    await page.emulateMedia({ media: 'print' });
    await expect(period).toBeHidden();
    await expect(region(page, 'By student')).toContainText('Theo Lind');
    await page.emulateMedia({ media: null });
  });

  await test.step('the amounts owed link to the accounts', async () => {
    await link(page, 'Owed').click();
    await expect(page.getByRole('heading', { name: 'Owed to you' }).locator('..')).toContainText(
      '£10.00',
    );
    const owedRow = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Ruth Hale' });
    await expect(owedRow).toContainText('since Tue 5 Mar');
    await owedRow.getByRole('link').click();
    await expectPath(page, `/families/${ruth.id}`);
    await expect(pageHeading(page, 'Ruth Hale')).toBeVisible();
  });
});
