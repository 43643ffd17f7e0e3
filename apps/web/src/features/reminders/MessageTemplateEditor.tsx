import { TEMPLATE_KINDS, type TemplateKind } from '@lessonbook/contract/messages';
import type { ReminderState } from '@lessonbook/contract/reminder-settings';
import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { templatePreviewQuery, useSaveReminders } from './api.ts';
import classes from './Reminders.module.css';
import { placeholders, templateLabels } from './reminder-options-and-labels.ts';

interface TemplateFormProps {
  kind: TemplateKind;
  state: ReminderState;
}

/** The fields start with the default text, so that there is something to edit. */
function TemplateForm({ kind, state }: TemplateFormProps) {
  const { enabledAt: _, whatsAppAutomatic: __, defaultTemplates, ...settings } = state;
  const defaults = defaultTemplates[kind];
  const saved = settings.templates[kind];
  const [subject, setSubject] = useState(saved.subject || defaults.subject);
  const [text, setText] = useState(saved.text || defaults.text);
  const save = useSaveReminders();
  const isDefault = subject.trim() === defaults.subject && text.trim() === defaults.text;

  /** The default text is saved as null, so that the tutor gets later improvements to it. */
  function saveTemplate(input: { subject: string; text: string }) {
    const template = {
      subject: input.subject.trim() === defaults.subject ? null : input.subject,
      text: input.text.trim() === defaults.text ? null : input.text,
    };
    save.mutate({ ...settings, templates: { ...settings.templates, [kind]: template } });
  }

  function resetToDefault() {
    setSubject(defaults.subject);
    setText(defaults.text);
    saveTemplate(defaults);
  }

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        saveTemplate({ subject, text });
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
      {!isDefault && (
        <Button variant="subtle" className={classes.reset ?? ''} onClick={resetToDefault}>
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

interface TemplatePreviewProps {
  kind: TemplateKind;
  subject: string;
  text: string;
}

const DEBOUNCE_MS = 400;

/** The e-mail as a sample family would receive it. */
export function TemplatePreview(template: TemplatePreviewProps) {
  const [debounced] = useDebouncedValue(template, DEBOUNCE_MS);
  const preview = useQuery({
    ...templatePreviewQuery(debounced),
    placeholderData: keepPreviousData,
  });
  if (preview.isError && !preview.data) {
    return (
      <LoadError onRetry={() => void preview.refetch()}>The preview could not be loaded.</LoadError>
    );
  }
  return (
    <section className={classes.preview} aria-label="Preview" aria-busy={preview.isFetching}>
      <h4>{preview.data?.subject ?? 'Preview'}</h4>
      {/* Sandboxed without scripts, forms or navigation, because the content is user input. */}
      <iframe
        className={classes.email}
        title="How the e-mail reads"
        sandbox=""
        srcDoc={preview.data?.html ?? ''}
      />
    </section>
  );
}

const kinds = TEMPLATE_KINDS.map((value) => ({ value, label: templateLabels[value] }));

/** Edits the template of each kind of message. */
export function MessageTemplateEditor({ state }: { state: ReminderState }) {
  const [kind, setKind] = useState<TemplateKind>('lesson_reminder');
  return (
    <Card heading="Your words">
      <div className={classes.form}>
        <Select
          label="Message"
          data={kinds}
          allowDeselect={false}
          value={kind}
          onChange={(value) => value && setKind(value)}
        />
        <TemplateForm key={kind} kind={kind} state={state} />
      </div>
    </Card>
  );
}
