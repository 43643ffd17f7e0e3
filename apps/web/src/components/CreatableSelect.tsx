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
  /** Creates the option and selects it. */
  onAdd: (name: string) => void;
  /** A name that can be added before anything is typed. */
  suggestedName?: string | undefined;
  isAdding: boolean;
  isRequired?: boolean;
  error?: ReactNode;
  /** Focused when the dialog opens. */
  initialFocus?: boolean;
  /** The field's name in its form, used to focus it when it is invalid. */
  path: string;
}

const ADD_VALUE = 'add';

/** A select that offers 'Add "Maya"' for a name that is not in the list. */
export function CreatableSelect(props: Props) {
  const { label, placeholder, options, value, onChange, onAdd, isAdding, error, path } = props;
  const { suggestedName = '' } = props;
  const [search, setSearch] = useState('');
  const name = search.trim();
  const isKnown = options.some((option) => equalsIgnoreCase(option.label, name));
  // When reopened, the field contains the selected label. That is not a search, so all options are shown.
  const selectedLabel = options.find((option) => option.value === value)?.label;
  const query = selectedLabel !== undefined && equalsIgnoreCase(selectedLabel, name) ? '' : name;
  const newName = name === '' && value === '' ? suggestedName : name;
  const addOption = { value: ADD_VALUE, label: `Add “${newName}”` };

  return (
    <Select
      label={label}
      placeholder={isAdding ? 'Adding...' : placeholder}
      withAsterisk={props.isRequired ?? true}
      data={newName === '' || isKnown ? options : [...options, addOption]}
      filter={({ options: all }) =>
        (all as Option[]).filter(
          (option) => option.value === ADD_VALUE || hasWordStartingWith(option.label, query),
        )
      }
      value={value || null}
      onChange={(selected) => {
        if (selected === ADD_VALUE) onAdd(newName);
        else onChange(selected ?? '');
      }}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange
      // Otherwise Enter after the first letter would submit the form instead of selecting the highlighted option.
      selectFirstOptionOnDropdownOpen={value === ''}
      // Otherwise, focusing the field would open the list, which covers half the form.
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

const equalsIgnoreCase = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Matches from the start of a word: 'm' finds Maya but not Emma. */
const hasWordStartingWith = (label: string, query: string): boolean =>
  ` ${label.toLowerCase()}`.includes(` ${query.toLowerCase()}`);
