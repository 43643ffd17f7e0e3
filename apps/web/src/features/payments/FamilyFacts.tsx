import type { FamilyDetails } from '@lessonbook/contract/families';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../components/CopyButton.tsx';
import { FactList } from '../../components/FactList.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import classes from './FamilyFacts.module.css';

/** What stands on invoices, and what a family needs to pay by transfer. */
export function FamilyFacts({ family }: { family: FamilyDetails }) {
  // Whoever holds it sees this balance, and how to pay it.
  const payLink = `${window.location.origin}/pay/${family.payToken}`;
  return (
    <Sheet heading="Details">
      <FactList
        facts={[
          { name: 'E-mail', value: family.email },
          { name: 'Phone', value: family.phone },
          { name: 'Address', value: family.address },
          { name: 'Reference', value: family.reference },
          { name: 'Payment link', value: <span className={classes.link}>{payLink}</span> },
        ]}
      />
      <div className={classes.copy}>
        <CopyButton text={payLink} of={family.name} label="Copy payment link" />
        <Link to="/schedule" search={{ view: 'students' }}>
          Change e-mail or phone
        </Link>
        <Link to="/settings/erase" search={{ person: payerOf(family) }}>
          Erase for good
        </Link>
      </div>
    </Sheet>
  );
}

const payerOf = ({ carerId, studentId }: FamilyDetails): string =>
  carerId === null ? `student-${studentId}` : `carer-${carerId}`;
