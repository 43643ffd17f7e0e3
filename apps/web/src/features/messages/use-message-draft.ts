import { type Channel, ReminderInput } from '@lessonbook/contract/messages';
import * as z from 'zod/mini';
import { useForm } from '../../lib/use-form.ts';

export interface MessageDraft {
  subject: string;
  text: string;
}

const EditedTextsSchema = z.object({
  edited: z.record(z.string(), z.pick(ReminderInput, { subject: true, text: true })),
});

/** The text shown: the default for this recipient and channel until the tutor edits it. Edits are kept per key. */
export function useMessageDraft(
  key: string,
  defaultDraft: MessageDraft | undefined,
  /** Identifies what the message is about, so that its text survives a reload. */
  draftKey: string,
) {
  const form = useForm<{ edited: Readonly<Record<string, MessageDraft>> }>({
    schema: EditedTextsSchema,
    initialValues: { edited: {} },
    mode: 'controlled',
    draft: { key: `message ${draftKey}`, fields: ['edited'] },
  });
  const { edited } = form.values;
  const draft = edited[key] ?? defaultDraft;
  return {
    draft: draft && { subject: draft.subject, text: draft.text },
    change: ({ subject, text }: MessageDraft) => {
      const { [key]: _, ...others } = edited;
      const isDefault = subject === defaultDraft?.subject && text === defaultDraft.text;
      form.change({ edited: isDefault ? others : { ...others, [key]: { subject, text } } });
    },
    onSubmit: form.onSubmit,
  };
}

export const isDraftComplete = (channel: Channel, { subject, text }: MessageDraft): boolean =>
  text.trim() !== '' && (channel === 'whatsapp' || subject.trim() !== '');
