import type { MessageKind } from '@lessonbook/contract/messages';
import type { ReminderState } from '@lessonbook/contract/reminders';
import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSaveReminders } from './api.ts';
import classes from './Reminders.module.css';
import { placeholders } from './reminder-words.ts';
import { TemplatePreview } from './TemplatePreview.tsx';

interface Props {
  kind: MessageKind;
  state: ReminderState;
}

/** Our words are in the fields from the start, so that there is something to change. */
export function TemplateForm({ kind, state }: Props) {
  const { startedAt: _, whatsAppByItself: __, proposals, ...settings } = state;
  const ours = proposals[kind];
  const saved = settings.templates[kind];
  const [subject, setSubject] = useState(saved.subject || ours.subject);
  const [text, setText] = useState(saved.text || ours.text);
  const save = useSaveReminders();
  const isOurs = subject.trim() === ours.subject && text.trim() === ours.text;

  /** What is ours is not kept: if we find better words, the tutor gets them. */
  function keep(words: { subject: string; text: string }) {
    const own = {
      subject: words.subject.trim() === ours.subject ? null : words.subject,
      text: words.text.trim() === ours.text ? null : words.text,
    };
    save.mutate({ ...settings, templates: { ...settings.templates, [kind]: own } });
  }

  function useOurs() {
    setSubject(ours.subject);
    setText(ours.text);
    keep(ours);
  }

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        keep({ subject, text });
      }}
    >
      <TextInput
        label="Subject"
        description="For e-mails"
        maxLength={200}
        value={subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <Textarea
        label="Text"
        size="md"
        rows={10}
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <details>
        <summary>What stands for what</summary>
        <dl className={classes.names}>
          {Object.entries(placeholders[kind]).map(([name, meaning]) => (
            <PlaceholderRow key={name} name={name} meaning={meaning} />
          ))}
        </dl>
      </details>
      <TemplatePreview kind={kind} subject={subject} text={text} />
      {!isOurs && (
        <Button variant="subtle" className={classes.reset ?? ''} onClick={useOurs}>
          Use our words
        </Button>
      )}
      <Button type="submit" variant="light" fullWidth disabled={save.isPending}>
        {save.isPending ? 'Saving...' : 'Save words'}
      </Button>
    </form>
  );
}

const PlaceholderRow = ({ name, meaning }: { name: string; meaning: string }) => (
  <>
    <dt>{`{${name}}`}</dt>
    <dd>{meaning}</dd>
  </>
);
