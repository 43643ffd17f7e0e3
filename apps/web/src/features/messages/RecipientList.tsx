import type { MessagePreview } from '@lessonbook/contract/messages';
import { Checkbox } from '../../components/Checkbox.tsx';
import { formatList, pluralize } from '../../lib/format.ts';
import classes from './RecipientList.module.css';
import { hasAddress, type RecipientFamily, sessionIdsOf } from './use-recipients.ts';

interface Props {
  families: readonly RecipientFamily[];
  /** Keys of those who were unticked. */
  excluded: ReadonlySet<string>;
  onExclude: (excluded: ReadonlySet<string>) => void;
}

/** Who hears of it, and who cannot be reached this way; of several, some can be left out. */
export function RecipientList({ families, excluded, onExclude }: Props) {
  const [only] = families;
  if (only && families.length === 1) {
    return only.people.length === 1 ? (
      only.people.map((person) => <SingleRecipient key={person.toName} person={person} />)
    ) : (
      <div className={classes.people}>
        <MessageTexts people={only.people} />
      </div>
    );
  }

  function tick(key: string, on: boolean) {
    const next = new Set(excluded);
    if (on) next.delete(key);
    else next.add(key);
    onExclude(next);
  }

  return (
    <ul className={classes.people}>
      {families.map((family) => {
        const reached = family.people.filter(hasAddress);
        return (
          <li key={family.key}>
            {reached.length > 0 && (
              <label>
                <Checkbox
                  checked={!excluded.has(family.key)}
                  onChange={(on) => tick(family.key, on)}
                />
                <span>{formatList(reached.map(({ toName }) => toName))}</span>
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

const SingleRecipient = ({ person }: { person: MessagePreview }) =>
  hasAddress(person) ? (
    <p className={classes.quiet}>
      To {person.toName}, {person.address}
    </p>
  ) : (
    <p className={classes.problem}>{person.problem}</p>
  );

/** The words for each, to be unfolded. */
const MessageTexts = ({ people }: { people: readonly MessagePreview[] }) =>
  people.map((person) =>
    hasAddress(person) ? (
      <details key={person.toName}>
        <summary>
          What {person.toName} reads, {person.address}
        </summary>
        <p>{person.text}</p>
      </details>
    ) : (
      <p key={person.toName} className={classes.problem}>
        {person.problem}
      </p>
    ),
  );
