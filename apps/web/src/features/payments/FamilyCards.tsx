import type { FamilyDetails } from '@lessonbook/contract/families';
import { ActionIcon, Button } from '@mantine/core';
import { IconMail, IconPhone } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Card } from '../../components/Card.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { ReplaceLinkButton } from '../../components/ReplaceLinkButton.tsx';
import { firstName, formatAmount, formatList } from '../../lib/format.ts';
import { useReplacePayLink } from './api.ts';
import classes from './FamilyCards.module.css';
import { RecordPaymentTrigger } from './RecordPaymentTrigger.tsx';
import { Balances } from './shared/Balances.tsx';

/** Contact details, payment reference and payment link. */
export function FamilyDetailsCard({ family }: { family: FamilyDetails }) {
  // A capability URL: it shows the balance and how to pay, without a login.
  const payLink = `${window.location.origin}/pay/${family.payToken}`;
  const replaceLink = useReplacePayLink();
  return (
    <Card heading="Details">
      <DescriptionList
        items={[
          { name: 'E-mail', value: family.email },
          { name: 'Phone', value: family.phone },
          { name: 'Address', value: family.address },
          { name: 'Time zone', value: family.timeZone },
          { name: 'Reference', value: family.reference },
          { name: 'Payment link', value: <span className={classes.link}>{payLink}</span> },
        ]}
      />
      <div className={classes.copy}>
        <CopyButton text={payLink} itemName={family.name} label="Copy payment link" />
        <ReplaceLinkButton
          isReplacing={replaceLink.isPending}
          onReplace={(callbacks) => replaceLink.mutate(family.id, callbacks)}
        />
        <Link to="/schedule" search={{ view: 'students' }}>
          Change e-mail or phone
        </Link>
        <Link to="/settings/erase" search={{ person: erasureKey(family) }}>
          Erase for good
        </Link>
      </div>
    </Card>
  );
}

const erasureKey = ({ carerId, studentId }: FamilyDetails): string =>
  carerId === null ? `student-${studentId}` : `carer-${carerId}`;

interface Props {
  family: FamilyDetails;
  /** The reminder button. */
  reminderButton: ReactNode;
}

/** Children, contact buttons, balance and actions. */
export function FamilyHeaderCard({ family, reminderButton }: Props) {
  const { id, name, email, phone } = family;
  return (
    <Card>
      <div className={classes.contact}>
        <p className={classes.children}>{formatChildren(family)}</p>
        {email && (
          <ActionIcon
            component="a"
            href={`mailto:${email}`}
            variant="light"
            size={44}
            aria-label={`Write to ${name}`}
          >
            <IconMail size={20} stroke={1.8} />
          </ActionIcon>
        )}
        {phone && (
          <ActionIcon
            component="a"
            href={`tel:${phone.replace(/\s/g, '')}`}
            variant="light"
            size={44}
            aria-label={`Call ${name}`}
          >
            <IconPhone size={20} stroke={1.8} />
          </ActionIcon>
        )}
      </div>
      <p className={classes.figure}>
        <Balances balances={family.balances} zeroLabel="Nothing owed" />
      </p>
      <OwedPerChild family={family} />
      <div className={classes.actions}>
        <RecordPaymentTrigger target={{ familyId: id }}>
          {(open) => <Button onClick={open}>Record payment</Button>}
        </RecordPaymentTrigger>
        <ButtonLink to="/invoices" search={{ family: id }} variant="light">
          Invoice
        </ButtonLink>
        {family.balances.some(({ owed }) => owed > 0) && reminderButton}
      </div>
    </Card>
  );
}

/** The page title already names a student who pays for themselves. */
function formatChildren({ children, carerId }: FamilyDetails): string {
  if (carerId === null) return 'Pays for own lessons';
  return children.length > 0 ? formatList(children.map((child) => child.name)) : 'No students';
}

/** The amount owed for each child, if there are several. */
function OwedPerChild({ family: { children } }: { family: FamilyDetails }) {
  const childrenWithDebt = children.filter(({ balances }) => balances.some(({ owed }) => owed > 0));
  if (children.length < 2 || childrenWithDebt.length === 0) return null;
  return <p className={classes.perChild}>{childrenWithDebt.map(formatOwed).join(', ')}</p>;
}

/** 'Maya £35' */
const formatOwed = ({ name, balances }: FamilyDetails['children'][number]): string =>
  [firstName(name), ...balances.map(({ owed, currency }) => formatAmount(owed, currency))].join(
    ' ',
  );
