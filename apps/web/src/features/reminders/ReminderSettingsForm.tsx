import { ReminderSettings, type ReminderState } from '@lessonbook/contract/reminder-settings';
import { Button, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FieldSection } from '../../components/Form.tsx';
import { useSaveReminders } from './api.ts';
import classes from './Reminders.module.css';
import { parseDays } from './reminder-options-and-labels.ts';
import { ScheduleFields } from './ScheduleFields.tsx';

/** Schedule, channels and recipients for lesson reminders, and automatic overdue reminders. */
export function ReminderSettingsForm({ state }: { state: ReminderState }) {
  const { lead, channels, recipient, templates } = state;
  const [schedule, setSchedule] = useState({ lead, channels, recipient });
  const [overdueEnabled, setOverdueEnabled] = useState(state.overdueEnabled);
  const [days, setDays] = useState(state.overdueDays.join(', '));
  const save = useSaveReminders();
  const parsed = ReminderSettings.safeParse({
    ...schedule,
    overdueEnabled,
    overdueDays: parseDays(days),
    templates,
  });
  const hasInvalidDays = parsed.error?.issues.some(({ path }) => path[0] === 'overdueDays');

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (parsed.success) save.mutate(parsed.data);
      }}
    >
      <FieldSection heading="Before a lesson">
        <ScheduleFields
          schedule={schedule}
          onChange={(changes) => setSchedule({ ...schedule, ...changes })}
        />
      </FieldSection>
      <FieldSection heading="Overdue payments">
        <Switch
          size="md"
          label="Ask for overdue payments"
          description="By itself, in the same ways; it stops when the money is there"
          labelPosition="left"
          withThumbIndicator={false}
          checked={overdueEnabled}
          classNames={{ body: classes.switch ?? '' }}
          onChange={(event) => setOverdueEnabled(event.currentTarget.checked)}
        />
        {overdueEnabled && (
          <TextInput
            label="Days after the due date"
            description="E.g. 3, 7, 14: one message for each"
            value={days}
            error={hasInvalidDays && 'Please enter up to six days from 1 to 90, e.g. 3, 7, 14'}
            onChange={(event) => setDays(event.currentTarget.value)}
          />
        )}
      </FieldSection>
      <Button type="submit" variant="light" fullWidth disabled={!parsed.success || save.isPending}>
        {save.isPending ? 'Saving...' : 'Save Changes'}
      </Button>
    </form>
  );
}
