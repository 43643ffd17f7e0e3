import { type KeyboardEvent, type ReactNode, useId } from 'react';
import classes from './Tabs.module.css';

interface Props<Value extends string> {
  /** Read by screen readers. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; count?: number | undefined }[];
  onChange: (value: Value) => void;
  /** A button beside the tabs. */
  aside?: ReactNode;
  /** The content of the selected tab. */
  children: ReactNode;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** Tabs for the parts of one record. The arrow keys move between them. */
export function Tabs<Value extends string>({
  label,
  value,
  options,
  onChange,
  aside,
  children,
}: Props<Value>) {
  const id = useId();
  const tabId = (tab: Value) => `${id}-${tab}`;

  function moveFocus(event: KeyboardEvent<HTMLDivElement>) {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = options.findIndex((option) => tabId(option.value) === document.activeElement?.id);
    const next = options[(index + step + options.length) % options.length];
    if (next) document.getElementById(tabId(next.value))?.focus();
  }

  return (
    <>
      <div className={classes.bar}>
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tabs receive focus */}
        <div role="tablist" aria-label={label} className={classes.tabs} onKeyDown={moveFocus}>
          {options.map((option) => {
            const isSelected = option.value === value;
            return (
              <button
                key={option.value}
                id={tabId(option.value)}
                type="button"
                role="tab"
                className={classes.tab}
                aria-selected={isSelected}
                aria-controls={isSelected ? `${id}-panel` : undefined}
                tabIndex={isSelected ? 0 : -1}
                onClick={() => onChange(option.value)}
              >
                {option.label}
                {option.count !== undefined && (
                  <span className={classes.count}>{option.count}</span>
                )}
              </button>
            );
          })}
        </div>
        {aside}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={tabId(value)}>
        {children}
      </div>
    </>
  );
}
