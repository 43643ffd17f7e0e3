import { Input, Popover } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import {
  type ComponentType,
  type ReactNode,
  startTransition,
  useEffect,
  useId,
  useState,
} from 'react';
import { formatPickerDate } from '../lib/format.ts';
import { toastError } from '../lib/toast.ts';
import type { DateCalendarProps } from './DateCalendar.tsx';
import classes from './DateField.module.css';

interface Props {
  label: string;
  /** `yyyy-MM-dd`, or '' for none. */
  value: string;
  onChange: (date: string) => void;
  /** In the tutor's time zone, which may differ from the browser's. */
  today: string;
  placeholder: string;
  /** Earlier days cannot be selected. */
  earliest?: string;
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

/** A date picked from a calendar, shown as 'Nov 14, 2026'. The calendar is fetched when the field is mounted. */
export function DateField(props: Props) {
  const { label, value, onChange, today, placeholder, earliest, path } = props;
  const { required = false, clearable = false, error } = props;
  const [opened, setOpened] = useState(false);
  // Shared by the field and the calendar, so that the field labels the calendar.
  const id = useId();

  useEffect(() => {
    // If this fails, the error is reported when the calendar is opened.
    fetchCalendar().catch(() => {});
  }, []);

  /** Opens only once the calendar has loaded, because an empty popover cannot take the focus. */
  async function toggle() {
    try {
      await fetchCalendar();
      // The calendar renders six weeks of buttons, so the field responds first.
      startTransition(() => setOpened((previous) => !previous));
    } catch {
      toastError('The calendar could not be loaded. Please try again.');
    }
  }

  function pick(date: string) {
    startTransition(() => {
      setOpened(false);
      onChange(date);
    });
  }

  const icon = <IconCalendar size={18} stroke={1.8} />;
  const clear = <Input.ClearButton aria-label={`Clear ${label}`} onClick={() => pick('')} />;
  const canClear = clearable && value !== '';

  return (
    <Input.Wrapper id={id} label={label} size="md" withAsterisk={required} error={error}>
      <Popover
        id={id}
        opened={opened}
        onChange={setOpened}
        position="bottom-start"
        trapFocus
        returnFocus
        shadow="md"
        radius="lg"
        classNames={{ dropdown: classes.dropdown ?? '' }}
      >
        <Popover.Target>
          <Input
            component="button"
            type="button"
            pointer
            size="md"
            error={error}
            // With the label alone, screen readers would not announce the date.
            aria-label={`${label}: ${value ? formatPickerDate(value) : placeholder}`}
            onClick={() => void toggle()}
            rightSection={
              canClear ? (
                // Mantine reserves the width of two icons for elements with this attribute.
                <div className={classes.clearable} data-combined-clear-section>
                  {clear}
                  {icon}
                </div>
              ) : (
                icon
              )
            }
            rightSectionPointerEvents={canClear ? 'all' : 'none'}
            data-path={path}
          >
            {value ? formatPickerDate(value) : <Input.Placeholder>{placeholder}</Input.Placeholder>}
          </Input>
        </Popover.Target>
        <Popover.Dropdown data-dates-dropdown>
          {Calendar && <Calendar value={value} onPick={pick} today={today} earliest={earliest} />}
        </Popover.Dropdown>
      </Popover>
    </Input.Wrapper>
  );
}
