import { MAX_RECIPIENTS } from '@lessonbook/contract/bulk-messages';
import type { Family } from '@lessonbook/contract/families';
import { matchesAllWords } from '@lessonbook/contract/matches-all-words';
import { type ComboboxItem, MultiSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DateField } from '../../components/DateField.tsx';
import { firstName, formatList, pluralize } from '../../lib/format.ts';
import { toastError } from '../../lib/toast.ts';
import { familiesQuery } from '../payments/api.ts';
import { familiesWithLessonQuery, overdueRemindersQuery } from './api.ts';
import classes from './BulkMessages.module.css';
// Only this field and the price rise form use pills.
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';

interface Props {
  familyIds: readonly number[];
  onChange: (familyIds: number[]) => void;
  today: string;
}

const MAX_SHOWN_OPTIONS = 50;

/** Chooses families by search, or all families, those with overdue payments, or those with a lesson on a given day. */
export function RecipientsField({ familyIds, onChange, today }: Props) {
  const families = useQuery(familiesQuery);
  const byId = new Map(families.data?.map((family) => [String(family.id), family]));
  const options = (families.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <div className={classes.to}>
      <MultiSelect
        label="To"
        size="md"
        description="Each family gets their own message and can't see who else got it."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={familyIds.length === 0 ? 'Add a family' : ''}
        searchable
        hidePickedOptions
        clearable
        limit={MAX_SHOWN_OPTIONS}
        nothingFoundMessage={describeNothingFound(families)}
        error={
          familyIds.length > MAX_RECIPIENTS &&
          `Please choose at most ${MAX_RECIPIENTS} families. You have chosen ${familyIds.length}.`
        }
        data={options}
        value={familyIds.map(String).filter((id) => byId.has(id))}
        onChange={(values) => onChange(values.map(Number))}
        filter={({ options: all, search, limit }) =>
          (all as ComboboxItem[])
            .filter(({ value }) => matchesFamily(byId.get(value), search))
            .slice(0, limit)
        }
        renderOption={({ option }) => (
          <span className={classes.option}>
            {option.label}
            <small>{formatChildren(byId.get(option.value))}</small>
          </span>
        )}
        classNames={{ pillsList: classes.chosen ?? '', pill: classes.pill ?? '' }}
      />
      <QuickChoices
        allIds={families.data?.map(({ id }) => id) ?? []}
        onChange={onChange}
        today={today}
      />
    </div>
  );
}

function describeNothingFound({ data }: { data: readonly Family[] | undefined }): string {
  if (!data) return 'Loading...';
  return data.length === 0 ? 'No families yet. Add a student first.' : 'No family found';
}

const matchesFamily = (family: Family | undefined, search: string): boolean =>
  family !== undefined && matchesAllWords([family.name, ...family.students].join(' '), search);

const formatChildren = (family: Family | undefined): string =>
  formatList((family?.students ?? []).filter((student) => student !== family?.name).map(firstName));

function QuickChoices({
  allIds,
  onChange,
  today,
}: Omit<Props, 'familyIds'> & { allIds: number[] }) {
  const client = useQueryClient();
  const [isDayShown, setIsDayShown] = useState(false);
  const [day, setDay] = useState('');
  const [resultText, setResultText] = useState('');

  async function choose(load: () => Promise<number[]>, emptyText: string) {
    try {
      const ids = await load();
      onChange(ids);
      setResultText(
        ids.length === 0 ? emptyText : `${pluralize(ids.length, 'family', 'families')} chosen.`,
      );
    } catch {
      toastError("We couldn't find the families. Please try again.");
    }
  }

  const chooseOverdue = () =>
    choose(async () => {
      const { families } = await client.fetchQuery(overdueRemindersQuery);
      return families.map(({ familyId }) => familyId);
    }, 'Nothing is overdue.');

  function chooseDay(date: string) {
    setDay(date);
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) return;
    void choose(
      async () => (await client.fetchQuery(familiesWithLessonQuery(date))).familyIds,
      'No lessons on that day.',
    );
  }

  return (
    <>
      <fieldset className={classes.placeholders}>
        <legend>Quick choices</legend>
        <button type="button" onClick={() => void choose(async () => allIds, 'No families yet.')}>
          All families
        </button>
        <button type="button" onClick={() => void chooseOverdue()}>
          Overdue
        </button>
        <button type="button" aria-expanded={isDayShown} onClick={() => setIsDayShown(!isDayShown)}>
          Families with a lesson on…
        </button>
      </fieldset>
      {isDayShown && (
        <DateField
          label="Lesson date"
          placeholder="Pick a day"
          today={today}
          value={day}
          onChange={chooseDay}
        />
      )}
      <p role="status" className={classes.muted}>
        {resultText}
      </p>
    </>
  );
}
