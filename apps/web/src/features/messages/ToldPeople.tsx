import type { MessagePreview } from '@lessonbook/contract/messages';
import { TickBox } from '../../components/TickBox.tsx';
import { count } from '../../lib/format.ts';
import { namesInWords } from '../../lib/names.ts';
import classes from './Tell.module.css';
import { isReached, lessonsOf, type ToldFamily } from './whom-to-tell.ts';

interface Props {
  families: readonly ToldFamily[];
  /** Keys of those who were unticked. */
  left: ReadonlySet<string>;
  onLeave: (left: ReadonlySet<string>) => void;
}

/** Who hears of it, and who cannot be reached this way; of several, some can be left out. */
export function ToldPeople({ families, left, onLeave }: Props) {
  const [only] = families;
  if (only && families.length === 1) {
    return only.people.length === 1 ? (
      only.people.map((person) => <OnlyPerson key={person.toName} person={person} />)
    ) : (
      <div className={classes.people}>
        <Reading people={only.people} />
      </div>
    );
  }

  function tick(key: string, on: boolean) {
    const next = new Set(left);
    if (on) next.delete(key);
    else next.add(key);
    onLeave(next);
  }

  return (
    <ul className={classes.people}>
      {families.map((family) => {
        const reached = family.people.filter(isReached);
        return (
          <li key={family.key}>
            {reached.length > 0 && (
              <label>
                <TickBox checked={!left.has(family.key)} onChange={(on) => tick(family.key, on)} />
                <span>{namesInWords(reached.map(({ toName }) => toName))}</span>
                <small>{count(lessonsOf([family]).length, 'lesson')}</small>
              </label>
            )}
            <Reading people={family.people} />
          </li>
        );
      })}
    </ul>
  );
}

const OnlyPerson = ({ person }: { person: MessagePreview }) =>
  isReached(person) ? (
    <p className={classes.quiet}>
      To {person.toName}, {person.address}
    </p>
  ) : (
    <p className={classes.problem}>{person.problem}</p>
  );

/** The words for each, to be unfolded. */
const Reading = ({ people }: { people: readonly MessagePreview[] }) =>
  people.map((person) =>
    isReached(person) ? (
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
