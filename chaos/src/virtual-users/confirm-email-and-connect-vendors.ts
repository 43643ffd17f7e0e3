import { setTimeout as pause } from 'node:timers/promises';
import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { cards } from '@lessonbook/contract/card-payments';
import { reminders } from '@lessonbook/contract/reminder-settings';
import type { FakeGoogle } from '@lessonbook/fakes/google';
import type { Mailbox } from '@lessonbook/fakes/mailbox';
import type { FakeStripe } from '@lessonbook/fakes/stripe';
import type pg from 'pg';
import { withRetries } from '../crash-tolerant-db-pool.ts';
import type { RetryingClient } from './retrying-client.ts';

/* One-time setup for a tutor. Each step is retried, because processes and vendors also fail during setup. */

const TIMEOUT_MS = 180_000;

async function retryUntil<T>(subject: string, attempt: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    const result = await attempt();
    if (result !== undefined) return result;
    if (performance.now() > end) throw new Error(`Timed out while setting up ${subject}`);
    await pause(200);
  }
}

/** A tutor must confirm their email address before they can email families. */
export async function confirmEmail(
  client: RetryingClient,
  mailbox: Mailbox,
  address: string,
): Promise<void> {
  const { text } = await mailbox.waitFor(
    (mail) => mail.to.includes(address) && mail.text.includes('/verify-email/'),
    TIMEOUT_MS,
  );
  const token = /\/verify-email\/([\w-]+)/.exec(text)?.[1] ?? '';
  const outcome = await client.write(accounts.confirmEmail, { body: { token } });
  if (outcome.status !== 200 && !outcome.outcomeUnknown)
    throw new Error(`${address}: ${outcome.status}`);
}

export async function startReminders(client: RetryingClient): Promise<void> {
  const { body } = await client.read(reminders.reminderSettings, undefined);
  const { overdueDays, templates } = body;
  await client.write(reminders.saveReminderSettings, {
    body: {
      leadMinutes: 2880,
      channels: ['email'],
      recipient: 'carer',
      overdueEnabled: false,
      overdueDays,
      templates,
    },
  });
  await client.write(reminders.startReminders, { body: { excludedKeys: [] } });
}

/** Returns the Stripe account id. */
export async function connectCards(
  client: RetryingClient,
  control: FakeStripe['control'],
  maintenanceDb: pg.Pool,
  tutorId: string,
): Promise<string> {
  const accountId = await retryUntil('a card account', async () => {
    await client.write(cards.createCardAccount, undefined);
    const { rows } = await withRetries(maintenanceDb, (connection) =>
      connection.query<{ account_id: string | null }>(
        'select account_id from card_accounts where tutor_id = $1',
        [tutorId],
      ),
    );
    return rows[0]?.account_id ?? undefined;
  });
  await control.completeOnboarding(accountId);
  await retryUntil('card payments', async () => {
    await client.read(cards.cardStatus, undefined);
    const chosen = await client.write(cards.saveDefaultMethod, {
      body: { paymentMethod: 'stripe' },
    });
    return chosen.status === 200 ? true : undefined;
  });
  return accountId;
}

export async function connectCalendar(
  client: RetryingClient,
  control: FakeGoogle['control'],
  user: string,
): Promise<void> {
  await retryUntil('a calendar', async () => {
    const response = await client.read(calendar.connectCalendar, undefined);
    if (response.status !== 200) return undefined;
    const { redirect } = await control.consent(response.body.authUrl, { user });
    const { pathname, search } = new URL(redirect);
    await client.follow(pathname + search);
    const { body } = await client.read(calendar.calendarStatus, undefined);
    return body.connected ? true : undefined;
  });
}
