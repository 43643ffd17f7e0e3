import { test } from '../fixtures.ts';
import { mouse, touchscreen } from './input-driver.ts';
import {
  walkThroughNewMessage,
  walkThroughPaymentReminders,
  walkThroughReminders,
} from './lesson-and-payment-reminders.ts';

const journeys = {
  'previews, starts, receives and stops reminders [SET-18, SET-21, PROD-11]': walkThroughReminders,
  'sends payment reminders by email and WhatsApp, and reports a bounced email [PROD-11, PROD-12, DASH-08, ROUTE-24, ROUTE-28]':
    walkThroughPaymentReminders,
  'F145 sends one message to all families, only once': walkThroughNewMessage,
};

for (const [name, runJourney] of Object.entries(journeys)) {
  test(`messages: ${name}`, ({
    page,
    browser,
    hasTouch,
    api,
    mail,
    confirmedTutor: tutor,
    runSendRemindersJob,
  }) => {
    const input = hasTouch ? touchscreen(page) : mouse(page);
    return runJourney({ page, browser, input, api, mail, tutor, runSendRemindersJob });
  });
}
