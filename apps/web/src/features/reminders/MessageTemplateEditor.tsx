import { TEMPLATE_KINDS, type TemplateKind } from '@lessonbook/contract/messages';
import { ReminderSettings, type ReminderState } from '@lessonbook/contract/reminder-settings';
import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Card } from '../../components/Card.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-refresh-unchanged-fields.ts';
import { templatePreviewQuery, useSaveReminders } from './api.ts';
import { placeholders, templateLabels } from './message-template-placeholders.ts';
import classes from './Reminders.module.css';

interface Template {
  subject: string;
  text: string;
}

interface TemplateFormValues {
  templates: Record<TemplateKind, Template>;
}

/** The fields start with the default text, so that there is something to edit. */
const toFormValues = ({ templates, defaultTemplates }: ReminderState): TemplateFormValues => ({
  templates: mapKinds((kind) => ({
    subject: templates[kind].subject || defaultTemplates[kind].subject,
    text: templates[kind].text || defaultTemplates[kind].text,
  })),
});

/** The default text is saved as null, so that the tutor gets later improvements to it. */
const toInput = (
  { templates }: TemplateFormValues,
  defaults: ReminderState['defaultTemplates'],
): Pick<ReminderSettings, 'templates'> => ({
  templates: mapKinds((kind) => {
    const { subject, text } = templates[kind];
    return {
      subject: subject.trim() === defaults[kind].subject ? null : subject,
      text: text.trim() === defaults[kind].text ? null : text,
    };
  }),
});

const mapKinds = <T,>(toValue: (kind: TemplateKind) => T) =>
  Object.fromEntries(TEMPLATE_KINDS.map((kind) => [kind, toValue(kind)])) as Record<
    TemplateKind,
    T
  >;

const kinds = TEMPLATE_KINDS.map((value) => ({ value, label: templateLabels[value] }));

const TemplatesSchema = z.pick(ReminderSettings, { templates: true });

/** Edits the template of each kind of message; all of them are saved together. */
export function MessageTemplateEditor({ state }: { state: ReminderState }) {
  const { enabledAt: _, whatsAppAutomatic: __, defaultTemplates, ...settings } = state;
  const [kind, setKind] = useState<TemplateKind>('lesson_reminder');
  const initialValues = toFormValues(state);
  const templateForm = useForm<TemplateFormValues>({
    schema: TemplatesSchema,
    initialValues,
    mode: 'controlled',
    draft: { key: 'templates', fields: ['templates'] },
  });
  useRefreshUnchangedFields(templateForm, initialValues);
  const { values, change, onSubmit } = templateForm;
  const save = useSaveReminders();
  const saveTemplates = onSubmit((form) =>
    save.mutateAsync({ ...settings, ...toInput(form, defaultTemplates) }),
  );
  const { subject, text } = values.templates[kind];
  const defaults = defaultTemplates[kind];
  const isDefault = subject.trim() === defaults.subject && text.trim() === defaults.text;

  const changeTemplate = (changes: Partial<Template>) =>
    change({ templates: { ...values.templates, [kind]: { subject, text, ...changes } } });

  function resetToDefault() {
    changeTemplate(defaults);
    saveTemplates();
  }

  return (
    <Card heading="Message templates">
      <form className={classes.form} noValidate onSubmit={saveTemplates}>
        <Select
          label="Message"
          data={kinds}
          allowDeselect={false}
          value={kind}
          onChange={(value) => value && setKind(value)}
        />
        <TextInput
          label="Subject"
          description="For emails"
          maxLength={200}
          value={subject}
          onChange={(event) => changeTemplate({ subject: event.currentTarget.value })}
        />
        <Textarea
          label="Text"
          size="md"
          rows={10}
          maxLength={2000}
          value={text}
          onChange={(event) => changeTemplate({ text: event.currentTarget.value })}
        />
        <details>
          <summary>Placeholders</summary>
          <dl className={classes.names}>
            {Object.entries(placeholders[kind]).map(([name, meaning]) => (
              <PlaceholderRow key={name} name={name} meaning={meaning} />
            ))}
          </dl>
        </details>
        <TemplatePreview kind={kind} subject={subject} text={text} />
        {!isDefault && (
          <Button variant="subtle" className={classes.reset ?? ''} onClick={resetToDefault}>
            Restore default
          </Button>
        )}
        <Button type="submit" variant="light" fullWidth disabled={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save template'}
        </Button>
      </form>
    </Card>
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

/** The email as a sample family would receive it. */
export function TemplatePreview(template: TemplatePreviewProps) {
  const [debounced] = useDebouncedValue(template, DEBOUNCE_MS);
  const preview = useQuery({
    ...templatePreviewQuery(debounced),
    placeholderData: keepPreviousData,
  });
  if (preview.isError && !preview.data) {
    return (
      <LoadError onRetry={() => void preview.refetch()}>We couldn't load the preview.</LoadError>
    );
  }
  return (
    <section className={classes.preview} aria-label="Preview" aria-busy={preview.isFetching}>
      <h4>{preview.data?.subject ?? 'Preview'}</h4>
      {/* Sandboxed without scripts, forms or navigation, because the content is user input. */}
      <iframe
        // Remounted, because changing a frame's content adds a history entry, to which Back would return first.
        key={preview.data?.html}
        className={classes.email}
        title="Email preview"
        sandbox=""
        srcDoc={preview.data?.html ?? ''}
      />
    </section>
  );
}
