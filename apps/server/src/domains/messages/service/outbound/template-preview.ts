import type { TemplateKind } from '@lessonbook/contract/messages';
import type { Context } from '../../../../context.ts';
import { renderEmail } from '../../../../platform/mail/email-template.ts';
import { getSignature } from '../../../invoices/service/business-settings.ts';
import { DEFAULT_TEMPLATES, fillTemplate } from '../../rules/message-templates.ts';
import { toEmailContent } from './compose-email.ts';

/** Sample values for the preview. */
const EXAMPLE_VALUES = {
  name: 'Ruth',
  when: 'Tomorrow',
  day: "tomorrow's lessons (Tuesday 17 November)",
  summary: 'Maya 4pm, Leo 5pm',
  lessons: 'Maya: Maths, 4pm to 5pm, Library\nLeo: Piano, 5pm to 5:45pm',
  what: 'Lessons cancelled',
  change: "I'm sorry, these lessons have been cancelled. You won't be charged.",
  amount: '£70.00',
  number: '0012',
  due: 'Tue 24 Nov',
  date: 'Mon 16 Nov',
  method: 'bank transfer',
  balance: 'Your account is up to date.',
};

export async function previewTemplate(
  context: Context,
  tutorId: string,
  input: {
    kind: TemplateKind;
    subject?: string | null | undefined;
    text?: string | null | undefined;
  },
): Promise<{ subject: string; text: string; html: string }> {
  const tutor = await context.db.tutorSnapshot(tutorId, (tx) => getSignature(tx, tutorId));
  const values = { ...EXAMPLE_VALUES, tutor, link: `${context.config.origin}/pay/…` };
  const fallback = DEFAULT_TEMPLATES[input.kind];
  const subject = fillTemplate(input.subject || fallback.subject, values);
  const text = fillTemplate(input.text || fallback.text, values);
  const { html } = renderEmail(toEmailContent(subject, text, values.link, input.kind));
  return { subject, text, html };
}
