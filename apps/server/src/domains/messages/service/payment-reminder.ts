import type { Channel, MessagePreview, ReminderInput } from '@lessonbook/contract/messages';
import { formatMoney } from '@lessonbook/contract/money';
import { firstName } from '@lessonbook/contract/names';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { tutorOf } from '../../accounts/service/profile.ts';
import { describeEntry } from '../../payments/service/describe.ts';
import { openAccountIn } from '../../payments/service/open-account.ts';
import { fill, PROPOSALS, shortDate } from '../rules/words.ts';
import { addMessage } from './add-message.ts';
import { type Settings, settingsIn } from './settings.ts';

export interface PaymentWords {
  toName: string;
  channel: Channel;
  address: string | null;
  subject: string;
  text: string;
}

/** What a payer owes, lesson by lesson; none when nothing is owed. */
export async function owedBy(context: Context, tx: Tx, tutorId: string, familyId: number) {
  const { name, timeZone } = await tutorOf(tx, tutorId);
  const today = dateIn(timeZone, context.clock.now());
  const account = await openAccountIn(tx, tutorId, familyId);
  const owed = account.balances.filter((balance) => balance.owed > 0);
  if (owed.length === 0) return null;
  return {
    account,
    name: firstName(account.name),
    tutor: name,
    amount: owed.map((each) => formatMoney(each.owed, each.currency, 'en-GB')).join(' and '),
    lessons: account.charges.map((charge) => {
      const child = charge.studentName ? `${firstName(charge.studentName)}: ` : '';
      const amount = formatMoney(charge.outstanding, charge.currency as never, 'en-GB');
      return `${child}${describeEntry(charge)}, ${shortDate(charge.date, today)}, ${amount}`;
    }),
    link: `${context.config.origin}/pay/${account.payToken}`,
  };
}

/** What a payer is asked for; none when nothing is owed. */
export async function paymentWords(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyId: number,
  settings: Settings,
  channel: string,
): Promise<PaymentWords | null> {
  const owed = await owedBy(context, tx, tutorId, familyId);
  if (!owed) return null;
  const { account, name, tutor, amount, link } = owed;
  const values = { name, tutor, amount, link, lessons: owed.lessons.join('\n') };
  const own = settings.templates.payment_reminder;
  return {
    toName: account.name,
    channel: channel as Channel,
    address: channel === 'email' ? account.email : account.phone,
    subject: fill(own.subject || PROPOSALS.payment_reminder.subject, values),
    text: fill(own.text || PROPOSALS.payment_reminder.text, values),
  };
}

export async function previewPaymentReminder(
  context: Context,
  tutorId: string,
  input: ReminderInput,
): Promise<MessagePreview> {
  return context.db.lookAtTutor(tutorId, async (tx) => {
    const words = await wordsFor(context, tx, tutorId, input);
    const problem = words.address ? null : noAddress(words);
    return { ...words, familyId: input.familyId, sessionIds: [], at: null, problem };
  });
}

export async function sendPaymentReminder(
  context: Context,
  tutorId: string,
  input: ReminderInput,
  repeat: Repeatable | null,
): Promise<number[]> {
  const now = context.clock.now();
  return context.db.withTutor(tutorId, (tx) =>
    once(tx, tutorId, repeat, now, async () => {
      const words = await wordsFor(context, tx, tutorId, input);
      if (!words.address) throw new AppError('conflict', noAddress(words));
      const id = await addMessage(context, tx, tutorId, {
        ...words,
        address: words.address,
        intent: `by hand ${input.familyId} ${input.channel} ${randomToken(9)}`,
        kind: 'payment_reminder',
        familyId: input.familyId,
      });
      return id === null ? [] : [id];
    }),
  );
}

/** The tutor's own words win over the template. */
async function wordsFor(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: ReminderInput,
): Promise<PaymentWords> {
  const settings = await settingsIn(tx, tutorId);
  const { familyId, channel } = input;
  const words = await paymentWords(context, tx, tutorId, familyId, settings, channel);
  if (!words) throw new AppError('conflict', 'Nothing is owed on this account.');
  return { ...words, subject: input.subject || words.subject, text: input.text || words.text };
}

export const noAddress = ({ toName, channel }: { toName: string; channel: string }): string =>
  channel === 'email'
    ? `${toName} has no e-mail address yet. Please add one.`
    : `${toName} has no phone number yet. Please add one.`;
