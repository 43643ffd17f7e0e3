import type { FamilyDetails, FamilyPerson } from '@lessonbook/contract/families';
import { Link } from '@tanstack/react-router';
import { Avatar } from '../../components/Avatar.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { firstName, formatList, formatTimeZone, initials } from '../../lib/format.ts';
import classes from './FamilyContactList.module.css';

/** The contacts of the family and what each receives. */
export function FamilyContactList({ family }: { family: FamilyDetails }) {
  // Contacts are changed on the page of a student.
  const currentChild = family.children.find(({ isCurrent }) => isCurrent);
  return (
    <>
      <ul>
        {family.people.map((person) => (
          <li key={person.contactId} className={classes.person}>
            <Avatar initials={initials(person.name)} />
            <div className={classes.text}>
              <p>
                <b>{person.name}</b>
                {person.relationship && <span>, {person.relationship.toLowerCase()}</span>}
              </p>
              <p className={classes.receives}>{formatReceived(person, family.id)}</p>
              <p className={classes.contact}>
                {person.email && <a href={`mailto:${person.email}`}>{person.email}</a>}
                {person.phone && (
                  <a href={`tel:${person.phone.replace(/\s/g, '')}`}>{person.phone}</a>
                )}
                {person.familyId !== null && person.familyId !== family.id && (
                  <Link to="/families/$id" params={{ id: String(person.familyId) }}>
                    {firstName(person.name)}'s account
                  </Link>
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <DescriptionList
        items={[
          { name: 'Address', value: family.address },
          { name: 'Time zone', value: family.timeZone && formatTimeZone(family.timeZone) },
        ]}
      />
      <p className={classes.links}>
        {currentChild && (
          <Link
            to="/students/$id"
            params={{ id: String(currentChild.id) }}
            search={{ tab: 'people' }}
          >
            Change email or phone
          </Link>
        )}
        <Link to="/settings/erase" search={{ person: erasureKey(family) }}>
          Erase permanently
        </Link>
      </p>
    </>
  );
}

/** "Receives invoices, payment reminders and messages about Maya's and Leo's lessons" */
function formatReceived({ familyId, mainContactOf }: FamilyPerson, accountId: number): string {
  const children = formatList(mainContactOf.map((name) => `${firstName(name)}'s`));
  const received = [
    ...(familyId === accountId ? ['invoices', 'payment reminders'] : []),
    ...(children ? [`messages about ${children} lessons`] : []),
  ];
  return received.length > 0 ? `Receives ${formatList(received)}` : 'Receives no messages';
}

const erasureKey = ({ carerId, studentId }: FamilyDetails): string =>
  carerId === null ? `student-${studentId}` : `carer-${carerId}`;
