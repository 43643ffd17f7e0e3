import { Autocomplete } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { addMinutesToTime, parseTime } from '../lib/parse-input.ts';
import classes from './TimeField.module.css';

interface Props {
  label: string;
  /** `HH:mm`, or the invalid text as typed. */
  value: string;
  onChange: (time: string) => void;
  /** The label is for screen readers only. */
  isLabelHidden?: boolean;
  /** The first option in the list. */
  from?: string;
  required?: boolean;
  error?: ReactNode;
  /** The field's name in its form, used to focus it when it is invalid. */
  path?: string;
}

/**
 * A 24-hour time, typed in any common format or picked in 15-minute steps. On some machines, the native field would
 * show AM and PM.
 */
export function TimeField({ label, value, onChange, from = '00:00', ...props }: Props) {
  const { isLabelHidden = false, required = false, error, path } = props;
  // The text being typed. Only a complete time is passed to the form, which updates other fields from it.
  const [draft, setDraft] = useState<string | null>(null);
  const [opened, setOpened] = useState(false);

  function commit(text: string | null) {
    setDraft(null);
    if (text === null) return;
    const time = parseTime(text) ?? text.trim();
    if (time !== value) onChange(time);
  }

  return (
    <Autocomplete
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      value={draft ?? value}
      onChange={setDraft}
      onOptionSubmit={commit}
      onBlur={() => commit(draft)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(draft);
      }}
      // A closed list stays in the DOM, so it is given no options: two fields would otherwise render almost two hundred
      // rows.
      data={opened ? quarterHoursFrom(from) : []}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      filter={({ options, search }) =>
        draft === null ? options : options.filter(startsWithSearch(search))
      }
      renderOption={({ option }) => (
        <span ref={option.value === value ? scrollToOption : undefined}>{option.value}</span>
      )}
      openOnFocus={false}
      withScrollArea={false}
      comboboxProps={{ shadow: 'md', radius: 'lg' }}
      classNames={{ dropdown: classes.dropdown ?? '', input: classes.input ?? '' }}
      inputMode="numeric"
      autoComplete="off"
      withAsterisk={required}
      error={error}
      data-path={path}
    />
  );
}

const QUARTER_HOURS = Array.from({ length: 96 }, (_, quarter) =>
  addMinutesToTime('00:00', quarter * 15),
);

const quarterHoursFrom = (from: string): string[] => QUARTER_HOURS.filter((time) => time >= from);

const startsWithSearch = (search: string) => (option: object) =>
  'value' in option && String(option.value).startsWith(search.trim());

/** Runs after layout. Scrolls only the list, not the page. */
function scrollToOption(node: HTMLElement | null) {
  requestAnimationFrame(() => {
    const list = node?.closest<HTMLElement>('[class*="dropdown"]');
    if (node && list) list.scrollTop = node.offsetTop - list.clientHeight / 2;
  });
}
