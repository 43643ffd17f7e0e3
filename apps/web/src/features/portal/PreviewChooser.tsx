import type { PortalContact } from '@lessonbook/contract/portal-management';
import { Button, Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hasAccess, portalContactsQuery } from './api.ts';
import classes from './PortalSettings.module.css';

interface Props {
  onPreview: (contact: PortalContact) => void;
}

/** Offers the people who are loaded; anyone else can be previewed from the menu of their row. */
export function PreviewChooser({ onPreview }: Props) {
  const people = useInfiniteQuery(portalContactsQuery());
  const contacts = people.data?.pages.flat().filter(hasAccess) ?? [];
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
