import { Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface Option {
  value: string;
  label: string;
}

interface Props {
  label: string;
  placeholder: string;
  options: readonly Option[];
  /** '' for none. */
  value: string;
  onChange: (value: string) => void;
  /** Makes what is not there yet, and picks it. */
  onAdd: (name: string) => void;
  isAdding: boolean;
  error?: ReactNode;
  /** Has the focus when the dialog opens. */
  initialFocus?: boolean;
  /** The field's name in its form, by which it is found when it is wrong. */
  path: string;
}

const ADD = 'add';

/** A select that offers 'Add "Maya"' for what is not in the list. */
export function CreatableSelect(props: Props) {
  const { label, placeholder, options, value, onChange, onAdd, isAdding, error, path } = props;
  const [search, setSearch] = useState('');
  const name = search.trim();
  const isKnown = options.some((option) => equalsIgnoreCase(option.label, name));
  // Opened again, the field holds what was chosen, which is no search: everything else is offered too.
  const chosen = options.find((option) => option.value === value)?.label;
  const words = chosen !== undefined && equalsIgnoreCase(chosen, name) ? '' : name;
  const add = { value: ADD, label: `Add "${name}"` };

  return (
    <Select
      label={label}
      placeholder={isAdding ? 'Adding...' : placeholder}
      withAsterisk
      data={name === '' || isKnown ? options : [...options, add]}
      filter={({ options: all }) =>
        (all as Option[]).filter(
          (option) => option.value === ADD || hasWordStartingWith(option.label, words),
        )
      }
      value={value || null}
      onChange={(picked) => {
        if (picked === ADD) onAdd(name);
        else onChange(picked ?? '');
      }}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange
      // Else Enter after the first letter would save the form instead of taking what is marked.
      selectFirstOptionOnDropdownOpen={value === ''}
      // Coming to the field must not cover half of the form.
      openOnFocus={false}
      nothingFoundMessage="Type a name to add"
      maxDropdownHeight={260}
      comboboxProps={{ shadow: 'md', radius: 'lg' }}
      disabled={isAdding}
      error={error}
      data-path={path}
      data-autofocus={props.initialFocus || undefined}
    />
  );
}

const equalsIgnoreCase = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

/** At the beginning of a word: 'm' is for Maya and not for Emma. */
const hasWordStartingWith = (label: string, words: string): boolean =>
  ` ${label.toLowerCase()}`.includes(` ${words.toLowerCase()}`);
