import { DraftInput } from '@lessonbook/contract/bulk-messages';
import type { Message } from '@lessonbook/contract/messages';
import { Button, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useForm } from '../../lib/use-form.ts';
import { useSendDraft } from './api.ts';
import classes from './Messages.module.css';

interface Props {
  message: Message;
  onSent: () => void;
  /** Further actions. */
  children: ReactNode;
}

/** The tutor reads the text, and may change it, before it is sent. */
export function EmailDraftForm({ message, onSent, children }: Props) {
  const { id, subject, text } = message;
  const send = useSendDraft();
  const { form, onSubmit, keyFor } = useForm({
    schema: DraftInput,
    initialValues: { subject, text },
  });
  return (
    <form
      noValidate
      className={classes.draft}
      onSubmit={onSubmit(
        (body) => send.mutateAsync({ params: { id }, body, idempotencyKey: keyFor(body) }),
        onSent,
      )}
    >
      <TextInput label="Subject" key={form.key('subject')} {...form.getInputProps('subject')} />
      <Textarea
        label="Message"
        size="md"
        rows={10}
        key={form.key('text')}
        {...form.getInputProps('text')}
      />
      <div className={classes.actions}>
        <Button type="submit" loading={send.isPending}>
          Send email
        </Button>
        {children}
      </div>
    </form>
  );
}
