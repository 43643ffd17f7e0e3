import { CheckboxField } from '../../components/Checkbox.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { useLocalFlag } from '../../lib/use-local-flag.ts';
import { useNavItems } from './NavigationLinksAndBadges.tsx';
import { SHORTCUTS_OFF_KEY } from './Shortcuts.ts';
import classes from './ShortcutsDialog.module.css';
import { SHORTCUT } from './use-command-palette.ts';

const shortcuts = [
  { keys: [SHORTCUT, '/'], label: 'Search' },
  { keys: ['N'], label: 'New lesson, payment, student, invoice or time off' },
  { keys: ['T'], label: 'Today in the schedule' },
  { keys: ['J', 'K'], label: 'Next or previous row in a list' },
  { keys: ['Enter'], label: 'Open the row' },
  { keys: ['?'], label: 'This list' },
];

export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [off, setOff] = useLocalFlag(SHORTCUTS_OFF_KEY);
  const pages = useNavItems().map(({ label, navigation }) => ({
    keys: ['G', navigation.key.toUpperCase()],
    label,
  }));
  return (
    <ResponsiveModal title="Keyboard shortcuts" opened={opened} onClose={onClose}>
      <KeyList shortcuts={shortcuts} separator="or" />
      <h3 className={classes.heading}>Go to</h3>
      <KeyList shortcuts={pages} separator="then" />
      <CheckboxField
        label="Use single-key shortcuts"
        checked={!off}
        onChange={(checked) => setOff(!checked)}
      />
    </ResponsiveModal>
  );
}

interface KeyListProps {
  shortcuts: readonly { keys: readonly string[]; label: string }[];
  /** The word shown between two keys. */
  separator: 'or' | 'then';
}

function KeyList({ shortcuts: rows, separator }: KeyListProps) {
  return (
    <dl className={classes.list} data-columns={separator === 'then' || undefined}>
      {rows.map(({ keys, label }) => (
        <div key={label} className={classes.row}>
          <dt>{label}</dt>
          <dd>
            {keys.map((key, index) => (
              <span key={key}>
                {index > 0 && <small>{separator}</small>}
                <kbd>{key}</kbd>
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
