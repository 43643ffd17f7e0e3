import { isDate } from '@lessonbook/contract/dates';
import { parseTypedDate } from '@lessonbook/contract/parse-date';
import { CloseButton, Input, Popover } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import {
  type ComponentType,
  type ReactNode,
  startTransition,
  useEffect,
  useId,
  useState,
} from 'react';
import { formatDateWithYear } from '../lib/format.ts';
import { toastError } from '../lib/toast.ts';
import type { DateCalendarProps } from './DateCalendar.tsx';
import classes from './DateField.module.css';

interface Props {
  label: string;
  /** `yyyy-MM-dd`, '' for none, or the invalid text as typed. */
  value: string;
  onChange: (date: string) => void;
  /** In the tutor's time zone, which may differ from the browser's. */
  today: string;
  placeholder: string;
  /** Earlier days cannot be selected. */
  earliest?: string;
  /** For the lesson dialog, whose format the specification defines. */
  format?: (date: string) => string;
  required?: boolean;
  clearable?: boolean;
  error?: ReactNode;
  /** The field's name in its form, used to focus it when it is invalid. */
  path?: string;
}

let Calendar: ComponentType<DateCalendarProps> | undefined;

async function fetchCalendar() {
  Calendar ??= (await import('./DateCalendar.tsx')).DateCalendar;
}

/**
 * A date, typed in any common format or picked from a calendar, and shown as '14 Nov 2026'. The calendar is fetched when
 * the field is mounted.
 */
export function DateField(props: Props) {
  const { label, value, onChange, today, placeholder, path } = props;
  const { required = false, clearable = false, format = formatDateWithYear } = props;
  const earliest = isDate(props.earliest ?? '') ? props.earliest : undefined;
  const [opened, setOpened] = useState(false);
  // The text of the field while the user is typing, or while it is invalid.
  const [draft, setDraft] = useState<string | null>(null);
  const [isTyping, setIsTyping] = useState(false);
  const id = useId();

  useEffect(() => {
    // If this fails, the error is reported when the calendar is opened.
    fetchCalendar().catch(() => {});
  }, []);

  const text = draft ?? (isDate(value) ? format(value) : value);
  const problem = isTyping ? null : dateProblem(text, today, earliest);
  const error = problem ?? props.error;

  function commit() {
    setIsTyping(false);
    if (draft === null) return;
    // Invalid text stays in the field and is passed on, so that the form is not saved with the previous date.
    const isInvalid = dateProblem(draft, today, earliest) !== null;
    if (!isInvalid) setDraft(null);
    const next = (!isInvalid && parseTypedDate(draft, today, earliest)) || draft.trim();
    if (next !== value) onChange(next);
  }

  /** Opens only once the calendar has loaded, because an empty popover cannot receive focus. */
  async function toggle() {
    try {
      await fetchCalendar();
      // Rendering six weeks of buttons takes time, so the button responds first.
      startTransition(() => setOpened((previous) => !previous));
    } catch {
      toastError("We couldn't load the calendar. Please try again.");
    }
  }

  function pick(date: string) {
    startTransition(() => {
      setOpened(false);
      setDraft(null);
      onChange(date);
    });
  }

  const calendarButton = (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      trapFocus
      returnFocus
      shadow="md"
      radius="lg"
      classNames={{ dropdown: classes.dropdown ?? '' }}
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.open}
          aria-label={`Calendar for ${label}`}
          onClick={() => void toggle()}
        >
          <IconCalendar size={18} stroke={1.8} />
        </button>
      </Popover.Target>
      <Popover.Dropdown data-dates-dropdown>
        {Calendar && (
          <Calendar
            value={isDate(value) ? value : ''}
            onPick={pick}
            today={today}
            earliest={earliest}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
  const canClear = clearable && text !== '';

  return (
    <Input.Wrapper id={id} label={label} size="md" withAsterisk={required} error={error}>
      <Input
        id={id}
        size="md"
        value={text}
        onChange={(event) => {
          setIsTyping(true);
          setDraft(event.currentTarget.value);
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
        placeholder={placeholder}
        autoComplete="off"
        error={error}
        rightSection={
          <>
            {canClear && (
              <CloseButton
                size={32}
                iconSize={16}
                // Keyboard users clear the field by deleting its text.
                tabIndex={-1}
                aria-label={`Clear ${label}`}
                onClick={() => pick('')}
              />
            )}
            {calendarButton}
          </>
        }
        rightSectionPointerEvents="all"
        rightSectionWidth={canClear ? 78 : 46}
        data-path={path}
      />
    </Input.Wrapper>
  );
}

/** The error message for the field's text; null if the text is empty or valid. */
function dateProblem(text: string, today: string, earliest: string | undefined): string | null {
  if (text.trim() === '') return null;
  const date = parseTypedDate(text, today, earliest);
  if (date === null) return 'Please enter a date such as 3 Dec 2026';
  if (earliest && date < earliest) return `Please choose ${formatDateWithYear(earliest)} or later`;
  return null;
}
