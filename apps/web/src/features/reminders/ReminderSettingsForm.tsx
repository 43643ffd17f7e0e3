import { ReminderSettings, type ReminderState } from '@lessonbook/contract/reminder-settings';
import { Button, Switch, TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import { FieldSection } from '../../components/FieldLayout.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-refresh-unchanged-fields.ts';
import { useSaveReminders } from './api.ts';
import { type ReminderSchedule, ReminderScheduleFields } from './ReminderScheduleFields.tsx';
import classes from './Reminders.module.css';
import { parseDays } from './reminder-options.ts';

interface ReminderFormValues extends ReminderSchedule {
  overdueEnabled: boolean;
  /** '3, 7, 14' */
  overdueDays: string;
}

const toInput = (form: ReminderFormValues, templates: ReminderSettings['templates']) => ({
  ...form,
  overdueDays: parseDays(form.overdueDays),
  templates,
});

/** Schedule, channels and recipients for lesson reminders, and automatic overdue reminders. */
export function ReminderSettingsForm({ state }: { state: ReminderState }) {
  const { leadMinutes, channels, recipient, templates, overdueEnabled } = state;
  const schema = z.pipe(
    z.transform<ReminderFormValues, z.input<typeof ReminderSettings>>((form) =>
      toInput(form, templates),
    ),
    ReminderSettings,
  );
  const initialValues = {
    leadMinutes,
    channels,
    recipient,
    overdueEnabled,
    overdueDays: state.overdueDays.join(', '),
  };
  const reminderForm = useForm<ReminderFormValues>({ schema, initialValues, mode: 'controlled' });
  useRefreshUnchangedFields(reminderForm, initialValues);
  const { values, change, onSubmit } = reminderForm;
  const save = useSaveReminders();
  const parsed = schema.safeParse(values);
  const hasInvalidDays = parsed.error?.issues.some(({ path }) => path[0] === 'overdueDays');

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={onSubmit((form) => save.mutateAsync(toInput(form, templates)))}
    >
      <FieldSection heading="Before a lesson">
        <ReminderScheduleFields schedule={values} onChange={change} />
      </FieldSection>
      <FieldSection heading="Overdue payments">
        <Switch
          size="md"
          label="Remind about overdue payments"
          description="Sent by the same channels, on the days you choose, until the payment is recorded"
          labelPosition="left"
          withThumbIndicator={false}
          checked={values.overdueEnabled}
          classNames={{ body: classes.switch ?? '' }}
          onChange={(event) => change({ overdueEnabled: event.currentTarget.checked })}
        />
        {values.overdueEnabled && (
          <TextInput
            label="Days after the due date"
            description="E.g. 3, 7, 14: one message for each"
            value={values.overdueDays}
            error={hasInvalidDays && 'Please enter up to six days from 1 to 90, e.g. 3, 7, 14'}
            onChange={(event) => change({ overdueDays: event.currentTarget.value })}
          />
        )}
      </FieldSection>
      <Button type="submit" variant="light" fullWidth disabled={!parsed.success || save.isPending}>
        {save.isPending ? 'Saving...' : 'Save Changes'}
      </Button>
    </form>
  );
}
