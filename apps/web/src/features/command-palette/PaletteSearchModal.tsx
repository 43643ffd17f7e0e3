import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { LayeredModal } from '../../components/LayeredModal.tsx';
import { pluralize } from '../../lib/format.ts';
import classes from './PaletteSearchModal.module.css';
import { type Command, type SearchSection, searchCommands } from './search-commands.ts';
import { useServerSearchResults } from './use-server-search-results.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  /** Returns the text typed while the palette was loading. */
  consumeTypedText: () => string;
  placeholder: string;
  commands: readonly Command[];
  /** Shown with the commands until something is typed. */
  defaults: readonly Command[];
  /** Suggestions parsed from the text, shown first. */
  suggest: (typed: string) => Command[];
  /** Whether the results include what the server finds. */
  searchesServer: boolean;
  /** Whether the commands are being loaded. */
  isLoading: boolean;
  onPick: (command: Command) => void;
  /** Shown if some data could not be loaded. */
  problem?: string | undefined;
}

/** A search field with results; full screen on phones. */
export function PaletteSearchModal({ opened, onClose, placeholder, ...search }: Props) {
  return (
    <LayeredModal
      opened={opened}
      onClose={onClose}
      centered={false}
      withCloseButton={false}
      // The caller moves focus, depending on the command.
      returnFocus={false}
      size={600}
      yOffset={80}
      attributes={{ content: { 'aria-label': 'Search' } }}
      classNames={{
        inner: classes.inner ?? '',
        content: classes.content ?? '',
        body: classes.body ?? '',
      }}
    >
      <Search placeholder={placeholder} onClose={onClose} {...search} />
    </LayeredModal>
  );
}

function Search({
  placeholder,
  commands,
  defaults,
  suggest,
  searchesServer,
  isLoading,
  onPick,
  onClose,
  consumeTypedText,
  problem,
}: Omit<Props, 'opened'>) {
  const id = useId();
  // The id, not the position, because more results may arrive above the active one. Null means the first result.
  const [activeId, setActiveId] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const found = useServerSearchResults(typed, { enabled: searchesServer });
  const isPending = found.isPending || isLoading;
  const suggestions = suggest(typed);
  const [firstSuggestion] = suggestions;
  const sections: SearchSection[] = [
    ...(firstSuggestion ? [{ section: firstSuggestion.section, commands: suggestions }] : []),
    ...searchCommands(
      typed.trim() === '' ? [...commands, ...defaults] : commands,
      typed,
      found.commands,
    ),
  ];
  const problemText = found.isError
    ? "We couldn't search your records, so only pages and actions are shown."
    : problem;
  const all = sections.flatMap((section) => section.commands);
  const current = Math.max(
    0,
    all.findIndex((command) => command.id === activeId),
  );
  const optionId = (command: Command | undefined) => command && `${id}-${command.id}`;

  function pick(command: Command) {
    if (command.opens === 'step') {
      setTyped('');
      setActiveId(null);
    }
    onPick(command);
  }

  const keyTargets: Record<string, number> = {
    ArrowDown: (current + 1) % all.length,
    ArrowUp: (current + all.length - 1) % all.length,
    Home: 0,
    End: all.length - 1,
  };

  function onKeyDown(event: KeyboardEvent) {
    const target = keyTargets[event.key];
    const command = all[current];
    // An input method editor uses these keys while composing.
    if (event.nativeEvent.isComposing) return;
    // The shortcut that opened the palette also closes it.
    if (event.key === 'k' && (event.ctrlKey || event.metaKey)) onClose();
    else if (all.length === 0) return;
    else if (target !== undefined) setActiveId(all[target]?.id ?? null);
    else if (event.key === 'Enter' && command) pick(command);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className={classes.head}>
        <IconSearch size={20} stroke={1.8} aria-hidden="true" />
        <input
          className={classes.input}
          role="combobox"
          aria-label="Search"
          aria-autocomplete="list"
          aria-expanded={all.length > 0}
          aria-controls={all.length > 0 ? `${id}-list` : undefined}
          aria-activedescendant={optionId(all[current])}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          data-autofocus
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setActiveId(null);
          }}
          onFocus={() => {
            const buffered = consumeTypedText();
            setTyped((previous) => previous + buffered);
          }}
          onKeyDown={onKeyDown}
        />
        <UnstyledButton className={classes.close} aria-label="Close" onClick={onClose}>
          <IconX size={22} stroke={1.8} />
        </UnstyledButton>
      </div>
      <VisuallyHidden role="status">
        {isPending ? 'Searching...' : pluralize(all.length, 'result')}
      </VisuallyHidden>
      {all.length === 0 ? (
        <NoResults typed={typed} isPending={isPending} />
      ) : (
        <div
          className={classes.list}
          role="listbox"
          id={`${id}-list`}
          aria-label="Results"
          aria-busy={isPending}
        >
          {sections.map(({ section, commands: sectionCommands }) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
            <div key={section} role="group" aria-labelledby={`${id}-${section}`}>
              <p className={classes.section} id={`${id}-${section}`}>
                {section}
              </p>
              {sectionCommands.map((command) => (
                <Option
                  key={command.id}
                  id={optionId(command)}
                  command={command}
                  active={command === all[current]}
                  onHover={() => setActiveId(command.id)}
                  onPick={() => pick(command)}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      {problemText && <p className={classes.problem}>{problemText}</p>}
    </>
  );
}

interface OptionProps {
  id: string | undefined;
  command: Command;
  active: boolean;
  onHover: () => void;
  onPick: () => void;
}

function Option({ id, command, active, onHover, onPick }: OptionProps) {
  const { label, hint, Icon } = command;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) row.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the focused field handles the keys
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- see above.
    <div
      ref={row}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={classes.option}
      // Not on mouse enter, because scrolling under a stationary pointer must not change the active option.
      onMouseMove={active ? undefined : onHover}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <Icon size={20} stroke={1.8} aria-hidden="true" />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </div>
  );
}

function NoResults({ typed, isPending }: { typed: string; isPending: boolean }) {
  return (
    <p className={classes.noResults}>
      {isPending
        ? 'Searching...'
        : `No results for “${typed.trim()}”. Try a name, a date, an amount or an invoice number, or describe a new lesson: “Maya maths Tue 4pm weekly”.`}
    </p>
  );
}
