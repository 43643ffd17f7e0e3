import { test } from '../fixtures.ts';
import { mouse, touchscreen } from './input-driver.ts';
import { walkThroughPaymentReminders, walkThroughReminders } from './messages.ts';

const walks = {
  'reminders are seen, started, received and stopped [SET-18, SET-21, PROD-11]':
    walkThroughReminders,
  'asking for money by e-mail and WhatsApp, and a mail that comes back [PROD-11, PROD-12, DASH-08, ROUTE-24, ROUTE-28]':
    walkThroughPaymentReminders,
};

for (const [name, walk] of Object.entries(walks)) {
  test(`messages: ${name}`, ({
    page,
    browser,
    hasTouch,
    api,
    mail,
    confirmedTutor: tutor,
    runCron,
  }) => {
    const input = hasTouch ? touchscreen(page) : mouse(page);
    return walk({ page, browser, input, api, mail, tutor, runCron });
  });
}
