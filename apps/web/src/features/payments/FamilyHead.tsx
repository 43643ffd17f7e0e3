import type { FamilyDetails } from '@lessonbook/contract/families';
import { ActionIcon, Button } from '@mantine/core';
import { IconMail, IconPhone } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Balances } from '../../components/Balances.tsx';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { firstName, money } from '../../lib/format.ts';
import { namesInWords } from '../../lib/names.ts';
import classes from './FamilyHead.module.css';
import { RecordPayment } from './RecordPayment.tsx';

interface Props {
  family: FamilyDetails;
  /** A way to ask for what is owed. */
  remind: ReactNode;
}

/** Whose account it is, how to reach them, and the one figure it comes down to. */
export function FamilyHead({ family, remind }: Props) {
  const { id, name, email, phone } = family;
  return (
    <Sheet>
      <div className={classes.who}>
        <p className={classes.children}>{childrenOf(family)}</p>
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
        <Balances balances={family.balances} settled="Nothing owed" />
      </p>
      <OwedForEach family={family} />
      <div className={classes.actions}>
        <RecordPayment paidFor={{ familyId: id }}>
          {(open) => <Button onClick={open}>Record payment</Button>}
        </RecordPayment>
        <ButtonLink to="/invoices" search={{ family: id }} variant="light">
          Invoice
        </ButtonLink>
        {family.balances.some(({ owed }) => owed > 0) && remind}
      </div>
    </Sheet>
  );
}

/** A student who pays alone is named by the page already. */
function childrenOf({ children, carerId }: FamilyDetails): string {
  if (carerId === null) return 'Pays for own lessons';
  return children.length > 0 ? namesInWords(children.map((child) => child.name)) : 'No students';
}

/** With several children: whose lessons are open. */
function OwedForEach({ family: { children } }: { family: FamilyDetails }) {
  const owing = children.filter(({ balances }) => balances.some(({ owed }) => owed > 0));
  if (children.length < 2 || owing.length === 0) return null;
  return <p className={classes.each}>{owing.map(owedInWords).join(', ')}</p>;
}

/** 'Maya £35' */
const owedInWords = ({ name, balances }: FamilyDetails['children'][number]): string =>
  [firstName(name), ...balances.map(({ owed, currency }) => money(owed, currency))].join(' ');
