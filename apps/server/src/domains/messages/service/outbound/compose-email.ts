import type { MessageKind } from '@lessonbook/contract/messages';
import type { Context } from '../../../../context.ts';
import type { Mail } from '../../../../integrations/mail.ts';
import { type EmailContent, renderEmail } from '../../../../platform/mail/email-template.ts';
import type { TutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import { renderInvoicePdf } from '../../../invoices/service/render-pdf.ts';
import type { MessageRecord } from '../../queries/messages.ts';
import { isReminderKind } from '../../rules/reminder-kinds.ts';
import { buildCalendarAttachments, type MessageLessons } from './ics-attachments.ts';
import { withPayLink } from './pay-link-placeholder.ts';
import { toEmailBlock } from './text-lists-to-email-tables.ts';
import { unsubscribeToken } from './unsubscribe-link.ts';

function getFooterLabel(kind: string): string {
  if (kind === 'lesson_notes') return 'Stop these emails';
  return isReminderKind(kind) ? 'Change or stop reminders' : 'Not meant for you?';
}

/** Builds the email as HTML and plain text, with attachments. Replies go to the tutor. */
export async function composeEmail(
  context: Context,
  tutorId: string,
  message: MessageRecord,
  tutor: TutorContact,
  lessons?: MessageLessons,
): Promise<Mail> {
  const { origin } = context.config;
  const linkToken = unsubscribeToken(context, tutorId, message.address);
  const isReminder = isReminderKind(message.kind);
  const text = withPayLink(context, message.text, message);
  const [link = null] = /https?:\/\/\S+/.exec(text) ?? [];
  const email = renderEmail({
    ...toEmailContent(
      message.subject,
      text,
      link?.startsWith(`${origin}/pay/`) || link === `${origin}/family` ? link : null,
      message.kind,
    ),
    // The same text as in the message log, plus the footer.
    plainText: text,
    footer: {
      text: `${tutor.name}. Sent with Lessonbook.`,
      label: getFooterLabel(message.kind),
      url: `${origin}/unsubscribe/${linkToken}`,
    },
  });
  return {
    ...email,
    kind: message.kind as MessageKind,
    to: { name: message.toName, address: message.address },
    fromName: tutor.name,
    replyTo: { name: tutor.name, address: tutor.email },
    messageId: `message.${message.publicId}`,
    ...(isReminder ? { headers: buildUnsubscribeHeaders(origin, linkToken) } : {}),
    attachments: await buildAttachments(context, tutorId, message, tutor, lessons),
  };
}

/** An amount other than 0 in the subject and the text, such as '£84.00'; the tutor may have changed either. */
function findAmount(subject: string, text: string): string | undefined {
  const [amount] = /(?:US)?[£$€₹]\d[\d,]*\.\d\d/.exec(subject) ?? [];
  return amount && /[1-9]/.test(amount) && text.includes(amount) ? amount : undefined;
}

/**
 * Turns a link to our site into a button in the same place and lists into columns. The last paragraph becomes the closing.
 */
export function toEmailContent(
  subject: string,
  text: string,
  link: string | null,
  kind: string,
): EmailContent {
  const paragraphs = text.split(/\n{2,}/);
  const closing = (paragraphs.pop() ?? '').split('\n');
  const amount =
    kind === 'invoice' || kind === 'payment_reminder' ? findAmount(subject, text) : undefined;
  // Only invoices show the amount as a figure, because a reminder lists the charges with their amounts.
  const figure = amount && kind === 'invoice' ? { figure: amount } : {};
  const linkIndex =
    link === null ? -1 : paragraphs.findIndex((paragraph) => paragraph.includes(link));
  if (link === null || linkIndex < 0) {
    return { subject, paragraphs: paragraphs.map(toEmailBlock), ...figure, closing };
  }
  // The button replaces the sentence that introduces the link in the default template.
  const textBeforeButton = paragraphs[linkIndex]
    ?.replace(link, '')
    .trim()
    .replace(/^You can [\w ]*here:$/, '');
  return {
    subject,
    paragraphs: [
      ...paragraphs.slice(0, linkIndex).map(toEmailBlock),
      ...(textBeforeButton ? [textBeforeButton] : []),
    ],
    ...figure,
    button: { label: getButtonLabel(kind, amount, link), url: link },
    afterButton: paragraphs.slice(linkIndex + 1).map(toEmailBlock),
    closing,
  };
}

function getButtonLabel(kind: string, amount: string | undefined, link: string): string {
  if (link.endsWith('/family')) return 'Open the family portal';
  if (amount) return `View and pay ${amount}`;
  // The only payment update with a link is about a failed payment.
  return kind === 'payment_update' ? 'Pay again' : 'View details';
}

const buildUnsubscribeHeaders = (origin: string, token: string): Record<string, string> => ({
  'List-Unsubscribe': `<${origin}/api/unsubscribe/${token}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

async function buildAttachments(
  context: Context,
  tutorId: string,
  message: MessageRecord,
  tutor: { name: string; email: string },
  lessons?: MessageLessons,
): Promise<NonNullable<Mail['attachments']>> {
  if (message.invoiceId !== null) {
    const pdf = await renderInvoicePdf(context, tutorId, message.invoiceId);
    return [
      {
        filename: pdf.name,
        contentType: 'application/pdf',
        content: pdf.body,
      },
    ];
  }
  return buildCalendarAttachments(context, tutorId, message, tutor, lessons);
}
