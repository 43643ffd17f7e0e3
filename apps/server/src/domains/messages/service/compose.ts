import type { Context } from '../../../context.ts';
import type { Mail } from '../../../integrations/mail.ts';
import { type Letter, renderLetter } from '../../../platform/mail-layout.ts';
import type { Contact } from '../../accounts/service/profile.ts';
import { printInvoice } from '../../invoices/service/print.ts';
import type { MessageRecord } from '../queries/messages.ts';
import type { SessionInWords } from '../queries/sessions.ts';
import { calendarParts } from './calendar-parts.ts';
import { STOPPABLE, stopToken } from './stop-token.ts';

/** The words of a message as a mail: in two forms, answered to the tutor, with what belongs to it attached. */
export async function composeMail(
  context: Context,
  tutorId: string,
  message: MessageRecord,
  tutor: Contact,
  sessions?: SessionInWords[],
): Promise<Mail> {
  const { origin } = context.config;
  const stop = STOPPABLE.has(message.kind) ? stopToken(context, tutorId, message.address) : null;
  const [link = null] = /https?:\/\/\S+/.exec(message.text) ?? [];
  const letter = renderLetter({
    ...letterOf(
      message.subject,
      message.text,
      link?.startsWith(`${origin}/pay/`) ? link : null,
      message.kind,
    ),
    // The words as they stand in the log; only the way out is added.
    plain: message.text,
    ...(stop
      ? { footer: { label: 'No more reminders', url: `${origin}/unsubscribe/${stop}` } }
      : {}),
  });
  return {
    ...letter,
    to: { name: message.toName, address: message.address },
    fromName: tutor.name,
    replyTo: { name: tutor.name, address: tutor.email },
    messageId: `message.${message.publicId}`,
    ...(stop ? { headers: stopHeaders(origin, stop) } : {}),
    attachments: await attachmentsOf(context, tutorId, message, tutor, sessions),
  };
}

const LABELS: Record<string, string> = {
  invoice: 'See the invoice',
  payment_reminder: 'See what is due',
};

/** The words as a letter: the address of ours becomes a button where it stands, the last paragraph is the signature. */
export function letterOf(subject: string, text: string, link: string | null, kind: string): Letter {
  const paragraphs = text.split(/\n{2,}/);
  const closing = (paragraphs.pop() ?? '').split('\n');
  const at = link === null ? -1 : paragraphs.findIndex((paragraph) => paragraph.includes(link));
  if (link === null || at < 0) return { subject, paragraphs, closing };
  const lead = paragraphs[at]?.replace(link, '').trim();
  return {
    subject,
    paragraphs: [...paragraphs.slice(0, at), ...(lead ? [lead] : [])],
    button: { label: LABELS[kind] ?? 'Open', url: link },
    after: paragraphs.slice(at + 1),
    closing,
  };
}

/** The one-click address works without a cookie and names nobody. */
const stopHeaders = (origin: string, token: string): Record<string, string> => ({
  'List-Unsubscribe': `<${origin}/api/unsubscribe/${token}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

async function attachmentsOf(
  context: Context,
  tutorId: string,
  message: MessageRecord,
  tutor: { name: string; email: string },
  sessions?: SessionInWords[],
): Promise<NonNullable<Mail['attachments']>> {
  if (message.invoiceId !== null) {
    const paper = await printInvoice(context, tutorId, message.invoiceId);
    return [
      {
        filename: paper.name,
        contentType: 'application/pdf',
        content: paper.body,
      },
    ];
  }
  return calendarParts(context, tutorId, message, tutor, sessions);
}
