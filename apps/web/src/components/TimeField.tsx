import { Autocomplete } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { parseTime, plusMinutes } from '../lib/parse-input.ts';
import classes from './TimeField.module.css';

interface Props {
  label: string;
  /** `HH:MM`, or whatever was typed that is no time. */
  value: string;
  onChange: (time: string) => void;
  /** The first time that is offered. */
  from?: string;
  required?: boolean;
  error?: ReactNode;
  /** The field's name in its form, by which it is found when it is wrong. */
  path?: string;
}

/**
 * A time on the 24-hour wall, typed in any way people write times or picked from the quarters of an hour. The browser's own
 * field would say AM and PM on some machines.
 */
export function TimeField({ label, value, onChange, from = '00:00', ...props }: Props) {
  const { required = false, error, path } = props;
  // What is being typed; only a finished time goes to the form, which moves other fields by it.
  const [draft, setDraft] = useState<string | null>(null);
  const [opened, setOpened] = useState(false);

  function finish(text: string | null) {
    setDraft(null);
    if (text === null) return;
    const time = parseTime(text) ?? text.trim();
    if (time !== value) onChange(time);
  }

  return (
    <Autocomplete
      label={label}
      value={draft ?? value}
      onChange={setDraft}
      onOptionSubmit={finish}
      onBlur={() => finish(draft)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish(draft);
      }}
      // A closed list is kept in the page all the same: two times a hundred rows for nothing.
      data={opened ? quarters(from) : []}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      filter={({ options, search }) => (draft === null ? options : options.filter(begins(search)))}
      renderOption={({ option }) => (
        <span ref={option.value === value ? bringIntoView : undefined}>{option.value}</span>
      )}
      openOnFocus={false}
      withScrollArea={false}
      comboboxProps={{ shadow: 'md', radius: 'lg' }}
      classNames={{ dropdown: classes.dropdown ?? '', input: classes.input ?? '' }}
      inputMode="numeric"
      autoComplete="off"
      size="md"
      withAsterisk={required}
      error={error}
      data-path={path}
    />
  );
}

const QUARTERS = Array.from({ length: 96 }, (_, quarter) => plusMinutes('00:00', quarter * 15));

const quarters = (from: string): string[] => QUARTERS.filter((time) => time >= from);

const begins = (search: string) => (option: object) =>
  'value' in option && String(option.value).startsWith(search.trim());

/** Once the list has its size. Only the list is scrolled: the page must stay where it is. */
function bringIntoView(node: HTMLElement | null) {
  requestAnimationFrame(() => {
    const list = node?.closest<HTMLElement>('[class*="dropdown"]');
    if (node && list) list.scrollTop = node.offsetTop - list.clientHeight / 2;
  });
}
