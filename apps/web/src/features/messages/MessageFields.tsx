import type { Channel } from '@lessonbook/contract/messages';
import { Textarea, TextInput } from '@mantine/core';
import type { Words } from './use-words.ts';

interface Props {
  channel: Channel;
  words: Words;
  onChange: (words: Words) => void;
}

/** What goes out, to be read and changed. WhatsApp knows no subject. */
export function MessageFields({ channel, words, onChange }: Props) {
  return (
    <>
      {channel === 'email' && (
        <TextInput
          label="Subject"
          maxLength={200}
          value={words.subject}
          error={words.subject.trim() === '' && 'Please enter a subject'}
          onChange={(event) => onChange({ ...words, subject: event.currentTarget.value })}
        />
      )}
      <Textarea
        label="Message"
        size="md"
        rows={10}
        maxLength={4000}
        value={words.text}
        error={words.text.trim() === '' && 'Please write a message'}
        onChange={(event) => onChange({ ...words, text: event.currentTarget.value })}
      />
    </>
  );
}

export const isComplete = (channel: Channel, { subject, text }: Words): boolean =>
  text.trim() !== '' && (channel === 'whatsapp' || subject.trim() !== '');
