import { Checkbox } from '../../components/Checkbox.tsx';
import { formatList, pluralize } from '../../lib/format.ts';
import classes from './RecipientList.module.css';
import {
  hasAddress,
  type RecipientFamily,
  type RecipientPreview,
  sessionIdsOf,
} from './use-change-notice-recipients.ts';

interface Props {
  families: readonly RecipientFamily[];
  /** Keys of deselected families. */
  excludedKeys: ReadonlySet<string>;
  onExcludedChange: (excluded: ReadonlySet<string>) => void;
}

/** The recipients, and who cannot be reached on this channel. If there are several families, some can be deselected. */
export function RecipientList({ families, excludedKeys, onExcludedChange }: Props) {
  const [singleFamily] = families;
  if (singleFamily && families.length === 1) {
    return singleFamily.people.length === 1 ? (
      singleFamily.people.map((person) => <SingleRecipient key={person.key} person={person} />)
    ) : (
      <div className={classes.people}>
        <MessageTexts people={singleFamily.people} />
      </div>
    );
  }

  function select(key: string, on: boolean) {
    const next = new Set(excludedKeys);
    if (on) next.delete(key);
    else next.add(key);
    onExcludedChange(next);
  }

  return (
    <ul className={classes.people}>
      {families.map((family) => {
        const reachable = family.people.filter(hasAddress);
        return (
          <li key={family.key}>
            {reachable.length > 0 && (
              <label>
                <Checkbox
                  checked={!excludedKeys.has(family.key)}
                  onChange={(on) => select(family.key, on)}
                />
                <span>{formatList(reachable.map(({ toName }) => toName))}</span>
                <small>{pluralize(sessionIdsOf([family]).length, 'lesson')}</small>
              </label>
            )}
            <MessageTexts people={family.people} />
          </li>
        );
      })}
    </ul>
  );
}

const SingleRecipient = ({ person }: { person: RecipientPreview }) =>
  hasAddress(person) ? (
    <p className={classes.muted}>
      To {person.toName}, {person.address}
    </p>
  ) : (
    <p className={classes.problem}>{person.problem}</p>
  );

/** Each recipient's text, collapsed. */
const MessageTexts = ({ people }: { people: readonly RecipientPreview[] }) =>
  people.map((person) =>
    hasAddress(person) ? (
      <details key={person.key}>
        <summary>
          Message to {person.toName}, {person.address}
        </summary>
        <p>{person.text}</p>
      </details>
    ) : (
      <p key={person.key} className={classes.problem}>
        {person.problem}
      </p>
    ),
  );
