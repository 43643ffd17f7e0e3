import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { focusRow } from '../lib/row-keyboard-navigation.ts';

const SEARCH_DELAY_MS = 250;

interface Props {
  /** Read by screen readers. */
  label: string;
  placeholder: string;
  className?: string | undefined;
  value: string;
  onChange: (text: string) => void;
}

/** Searches after a short pause in typing. A change elsewhere, such as Back, replaces the text. */
export function SearchField({ label, placeholder, className, value, onChange }: Props) {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [searched, setSearched] = useState(value);
  if (value !== lastValue) {
    setLastValue(value);
    // A search started by this field must not replace what has been typed since.
    if (value !== searched) setText(value);
  }
  const search = useDebouncedCallback((typed: string) => {
    setSearched(typed);
    onChange(typed);
  }, SEARCH_DELAY_MS);
  return (
    <TextInput
      type="search"
      className={className ?? ''}
      aria-label={label}
      placeholder={placeholder}
      maxLength={100}
      leftSection={<IconSearch size={18} stroke={1.8} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value.trim());
      }}
      // Arrow Down moves focus to the list being searched.
      onKeyDown={(event) => {
        const main = event.key === 'ArrowDown' && event.currentTarget.closest('main');
        if (main && focusRow(main, 1) !== -1) event.preventDefault();
      }}
    />
  );
}
