import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import type { PortalContact } from './api.ts';
import classes from './PortalSettings.module.css';

interface Props {
  contacts: readonly PortalContact[];
  onPreview: (contact: PortalContact) => void;
}

export function PreviewChooser({ contacts, onPreview }: Props) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = contacts.find(({ id }) => String(id) === chosenId);
  return (
    <div className={classes.choose}>
      <Select
        label="Preview as"
        placeholder="Choose a person"
        data={contacts.map(({ id, name }) => ({ value: String(id), label: name }))}
        searchable
        value={chosenId}
        onChange={setChosenId}
      />
      <Button variant="light" disabled={!chosen} onClick={() => chosen && onPreview(chosen)}>
        Preview
      </Button>
    </div>
  );
}
