import { firstName } from '@lessonbook/contract/first-name';
import {
  type Channel,
  type MessagePreview,
  NO_PAYMENT_METHOD_MESSAGE,
  type ReminderInput,
} from '@lessonbook/contract/messages';
import { type Currency, formatMoney } from '@lessonbook/contract/money';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { randomToken } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../../platform/idempotency.ts';
import { canBePaid } from '../../../invoices/service/business-settings.ts';
import {
  type AccountStatement,
  getAccountStatement,
} from '../../../payments/service/amounts-owed-and-transfer-claims.ts';
import { formatEntryLabel } from '../../../payments/service/charges.ts';
import { hasOptedOutOfReminders } from '../../queries/reminder-opt-outs.ts';
import { missingAddressMessage, optedOutMessage } from '../../rules/cannot-send-texts.ts';
import { formatShortDate } from '../../rules/format-dates-and-lessons.ts';
import { DEFAULT_TEMPLATES, fillTemplate } from '../../rules/message-templates.ts';
import { createMessage } from '../outbound/create-message.ts';
import { consumeEmailQuota, findRecipientProblems } from '../outbound/email-quota.ts';
import { LINK_PLACEHOLDER, withPayLink } from '../outbound/pay-link-placeholder.ts';
import { hasOptedOut } from '../whatsapp/eligibility.ts';
import { getSettings, type Settings } from './reminder-settings.ts';
import { getRenderContext, type RenderContext } from './render-lesson-reminder.ts';

export interface PaymentReminderContent {
  toName: string;
  channel: Channel;
  address: string | null;
  timeZone: string | null;
  subject: string;
  /** Contains a placeholder for the payment link. */
  text: string;
  linkKey: string;
}

/** A payer's outstanding charges; null if nothing is owed. */
export async function getOutstandingSummary(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyId: number,
) {
  return summarizeOutstanding(
    await getRenderContext(context, tx, tutorId),
    await getAccountStatement(tx, tutorId, familyId),
  );
}

function summarizeOutstanding({ tutor, today }: RenderContext, account: AccountStatement) {
  const owed = account.balances.filter((balance) => balance.owed > 0);
  if (owed.length === 0) return null;
  return {
    account,
    name: firstName(account.name),
    tutor,
    amount: owed
      .map((balance) => formatMoney(balance.owed, balance.currency, 'en-GB'))
      .join(' and '),
    lessons: formatChargeLines(account.charges, account.studentId, today),
    link: LINK_PLACEHOLDER,
  };
}

/** The maximum number of charges in a reminder. The payment page lists all charges. */
const MAX_LISTED_CHARGES = 50;

/** One line per instalment plan, and one per other charge. `payerStudentId` is the student if they pay for themselves. */
function formatChargeLines(
  charges: AccountStatement['charges'],
  payerStudentId: number | null,
  today: string,
): string[] {
  const planned = charges.filter(({ instalmentDueOn }) => instalmentDueOn !== null);
  const instalments = [...Map.groupBy(planned, ({ currency }) => currency)].map(
    ([currency, group]) => {
      const amount = group.reduce((sum, { outstanding }) => sum + outstanding, 0);
      const dueOn = formatShortDate(group[0]?.instalmentDueOn as string, today);
      return `Instalment due ${dueOn}, ${formatMoney(amount, currency as Currency, 'en-GB')}`;
    },
  );
  const others = charges.filter(({ instalmentDueOn }) => instalmentDueOn === null);
  const lines = others.slice(0, MAX_LISTED_CHARGES).map((charge) => {
    // A student who pays for themselves is not named.
    const isPayer = charge.studentId === payerStudentId;
    const studentPrefix =
      charge.studentName && !isPayer ? `${firstName(charge.studentName)}: ` : '';
    const format = (minor: number) => formatMoney(minor, charge.currency as Currency, 'en-GB');
    const amount =
      charge.outstanding < charge.amount - charge.credited
        ? `${format(charge.amount - charge.credited)}, of which ${format(charge.outstanding)} is left to pay`
        : format(charge.outstanding);
    return `${studentPrefix}${formatEntryLabel(charge)}, ${formatShortDate(charge.date, today)}, ${amount}`;
  });
  const unlisted = others.length - lines.length;
  return [...instalments, ...lines, ...(unlisted > 0 ? [`and ${unlisted} more`] : [])];
}

/** Null if nothing is owed. */
export async function loadAndRenderPaymentReminder(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyId: number,
  settings: Settings,
  channel: string,
): Promise<PaymentReminderContent | null> {
  const renderContext = await getRenderContext(context, tx, tutorId);
  const account = await getAccountStatement(tx, tutorId, familyId);
  return renderPaymentReminder(renderContext, account, settings, channel);
}

/** Null if nothing is owed. */
export function renderPaymentReminder(
  renderContext: RenderContext,
  account: AccountStatement,
  settings: Settings,
  channel: string,
): PaymentReminderContent | null {
  const outstanding = summarizeOutstanding(renderContext, account);
  if (!outstanding) return null;
  const { name, tutor, amount, link } = outstanding;
  const values = { name, tutor, amount, link, lessons: outstanding.lessons.join('\n') };
  const custom = settings.templates.payment_reminder;
  return {
    toName: account.name,
    linkKey: account.linkKey,
    channel: channel as Channel,
    address: channel === 'email' ? account.email : account.phone,
    timeZone: account.timeZone,
    subject: fillTemplate(custom.subject || DEFAULT_TEMPLATES.payment_reminder.subject, values),
    text: fillTemplate(custom.text || DEFAULT_TEMPLATES.payment_reminder.text, values),
  };
}

export async function previewPaymentReminder(
  context: Context,
  tutorId: string,
  input: ReminderInput,
): Promise<MessagePreview> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const { timeZone: _timeZone, ...content } = await renderWithOverrides(
      context,
      tx,
      tutorId,
      input,
    );
    const problem = await findProblem(context, tx, tutorId, content);
    const text = withPayLink(context, content.text, content);
    return { ...content, text, familyId: input.familyId, sessionIds: [], at: null, problem };
  });
}

export async function sendPaymentReminder(
  context: Context,
  tutorId: string,
  input: ReminderInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<number[]> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const content = await renderWithOverrides(context, tx, tutorId, input);
      const problem = await findProblem(context, tx, tutorId, content);
      if (problem !== null) throw new AppError('conflict', problem);
      const address = content.address as string;
      await consumeEmailQuota(context, tx, tutorId, [{ ...content, address }]);
      const id = await createMessage(context, tx, tutorId, {
        ...content,
        address,
        dedupeKey: `manual ${input.familyId} ${input.channel} ${randomToken(9)}`,
        kind: 'payment_reminder',
        familyId: input.familyId,
      });
      return id === null ? [] : [id];
    }),
  );
}

/** The reason why the reminder cannot be sent, or null. A family that has stopped reminders gets none on any channel. */
async function findProblem(
  context: Context,
  tx: Tx,
  tutorId: string,
  { address, channel, toName }: Pick<PaymentReminderContent, 'address' | 'channel' | 'toName'>,
): Promise<string | null> {
  if (!(await canBePaid(context, tx, tutorId))) return NO_PAYMENT_METHOD_MESSAGE;
  if (!address) return missingAddressMessage({ toName, channel });
  const recipient = { toName, channel, address };
  const problem = (await findRecipientProblems(context, tx, tutorId, [recipient])).get(recipient);
  if (problem) return problem;
  const kind = 'payment_reminder';
  if (await hasOptedOutOfReminders(tx, tutorId, kind, address))
    return optedOutMessage(toName, kind);
  return channel === 'whatsapp' && (await hasOptedOut(tx, address))
    ? `${toName} replied STOP to WhatsApp reminders. You can send an email instead.`
    : null;
}

/** A subject or text typed by the tutor replaces the template's. */
async function renderWithOverrides(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: ReminderInput,
): Promise<PaymentReminderContent> {
  const settings = await getSettings(tx, tutorId);
  const { familyId, channel } = input;
  const content = await loadAndRenderPaymentReminder(
    context,
    tx,
    tutorId,
    familyId,
    settings,
    channel,
  );
  if (!content) throw new AppError('conflict', 'Nothing is owed on this account.');
  return {
    ...content,
    subject: input.subject || content.subject,
    text: input.text || content.text,
  };
}
