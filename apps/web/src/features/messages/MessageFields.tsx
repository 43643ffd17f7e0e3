import type { Channel } from '@lessonbook/contract/messages';
import { Textarea, TextInput } from '@mantine/core';
import type { MessageDraft } from './use-message-draft.ts';

interface MessageFieldsProps {
  channel: Channel;
  draft: MessageDraft;
  onChange: (draft: MessageDraft) => void;
}

/** Subject and text. WhatsApp messages have no subject. */
export function MessageFields({ channel, draft, onChange }: MessageFieldsProps) {
  return (
    <>
      {channel === 'email' && (
        <TextInput
          label="Subject"
          maxLength={200}
          value={draft.subject}
          error={draft.subject.trim() === '' && 'Please enter a subject'}
          onChange={(event) => onChange({ ...draft, subject: event.currentTarget.value })}
        />
      )}
      <Textarea
        label="Message"
        size="md"
        rows={10}
        maxLength={4000}
        value={draft.text}
        error={draft.text.trim() === '' && 'Please write a message'}
        onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
      />
    </>
  );
}
