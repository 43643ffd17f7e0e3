import { MESSAGE_KINDS, type MessageKind } from '@lessonbook/contract/messages';
import type { ReminderState } from '@lessonbook/contract/reminders';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import classes from './Reminders.module.css';
import { templateNames } from './reminder-words.ts';
import { TemplateForm } from './TemplateForm.tsx';

const kinds = MESSAGE_KINDS.map((value) => ({ value, label: templateNames[value] }));

/** The words of each kind of message: ours, until the tutor writes others. */
export function Templates({ state }: { state: ReminderState }) {
  const [kind, setKind] = useState<MessageKind>('lesson_reminder');
  return (
    <Sheet heading="Your words">
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
    </Sheet>
  );
}
