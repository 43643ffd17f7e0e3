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
import { pickerDate } from '../lib/format.ts';
import { toastFailed } from '../lib/toast.ts';
import type { DateCalendarProps } from './DateCalendar.tsx';
import classes from './DateField.module.css';

interface Props {
  label: string;
  /** `yyyy-MM-dd`, or '' for none. */
  value: string;
  onChange: (date: string) => void;
  /** The tutor's, which need not be the browser's. */
  today: string;
  placeholder: string;
  /** Days before it cannot be picked. */
  earliest?: string;
  required?: boolean;
  clearable?: boolean;
  error?: ReactNode;
  /** The field's name in its form, by which it is found when it is wrong. */
  path?: string;
}

let Calendar: ComponentType<DateCalendarProps> | undefined;

async function fetchCalendar() {
  Calendar ??= (await import('./DateCalendar.tsx')).DateCalendar;
}

/** A day from a calendar, shown as 'Nov 14, 2026'. The calendar is fetched once its field is on the screen. */
export function DateField(props: Props) {
  const { label, value, onChange, today, placeholder, earliest, path } = props;
  const { required = false, clearable = false, error } = props;
  const [opened, setOpened] = useState(false);
  // One for field and calendar: the calendar is named after the field.
  const id = useId();

  useEffect(() => {
    // Whoever opens it is told when it does not come.
    fetchCalendar().catch(() => {});
  }, []);

  /** Only once it is there: an empty one could not take the focus. */
  async function toggle() {
    try {
      await fetchCalendar();
      // Six weeks of buttons: the field answers before.
      startTransition(() => setOpened((before) => !before));
    } catch {
      toastFailed('The calendar could not be loaded. Please try again.');
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
            // The label alone would hide the date from whoever cannot see it.
            aria-label={`${label}: ${value ? pickerDate(value) : placeholder}`}
            onClick={() => void toggle()}
            rightSection={
              canClear ? (
                // The library gives room for two to what carries its mark.
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
            {value ? pickerDate(value) : <Input.Placeholder>{placeholder}</Input.Placeholder>}
          </Input>
        </Popover.Target>
        <Popover.Dropdown data-dates-dropdown>
          {Calendar && <Calendar value={value} onPick={pick} today={today} earliest={earliest} />}
        </Popover.Dropdown>
      </Popover>
    </Input.Wrapper>
  );
}
