import { dayNumber } from '@lessonbook/contract/dates';
import type { InvoiceListRow } from '@lessonbook/contract/invoices';
import { PAYMENT_METHOD_LABELS } from '@lessonbook/contract/payment-method-labels';
import { formatAmount, formatDayMonth, pluralize } from '../../lib/format.ts';
import { type DateContext, toLocalDate } from '../../lib/format-timestamp.ts';

/** The latest event of an invoice: 'Emailed 13 Nov', '3 days late, reminded twice', 'Card, 24 Oct'. */
export function describeLastEvent(row: InvoiceListRow, dateContext: DateContext): string {
  const { state, payment, voidedOn, dueOn, due, currency } = row;
  const { today } = dateContext;
  const reminded = formatReminders(row.reminderCount);
  switch (state) {
    case 'draft':
      return row.lineCount === 0 ? 'No items yet' : pluralize(row.lineCount, 'item');
    case 'void':
      return voidedOn ? `Voided ${formatDayMonth(voidedOn, today)}` : '';
    case 'paid':
      return payment && row.kind === 'invoice'
        ? `${PAYMENT_METHOD_LABELS[payment.method]}, ${formatDayMonth(payment.date, today)}`
        : describeMessage(row, dateContext);
    case 'part_paid':
      return joinParts(`${formatAmount(due, currency, true)} left`, reminded);
    case 'overdue':
      return joinParts(
        dueOn ? `${pluralize(dayNumber(today) - dayNumber(dueOn), 'day')} late` : '',
        reminded || (row.message ? '' : 'not emailed'),
      );
    case 'sent':
    case 'on_hold':
    case 'written_off':
    default:
      return joinParts(describeMessage(row, dateContext), reminded);
  }
}

function describeMessage({ message }: InvoiceListRow, dateContext: DateContext): string {
  if (!message) return 'Not emailed';
  const isEmail = message.channel === 'email';
  if (message.state === 'waiting') return isEmail ? 'Email on its way' : 'WhatsApp on its way';
  if (message.state === 'failed') return isEmail ? 'Email failed' : 'WhatsApp failed';
  const day = formatDayMonth(toLocalDate(message.at, dateContext), dateContext.today);
  return isEmail ? `Emailed ${day}` : `WhatsApp, ${day}`;
}

const formatReminders = (count: number): string =>
  count === 0 ? '' : `reminded ${['once', 'twice'][count - 1] ?? `${count} times`}`;

const joinParts = (...parts: readonly string[]): string => parts.filter(Boolean).join(', ');
