import type { FamilyDetails } from '@lessonbook/contract/families';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../components/CopyButton.tsx';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { ReplacePaymentLinkButton } from '../../components/ReplacePaymentLinkButton.tsx';
import { useReplacePayLink } from './api.ts';
import contactClasses from './FamilyContactList.module.css';
import classes from './FamilyWaysToPay.module.css';

/** The payment reference and the public page that shows the balance. */
export function FamilyWaysToPay({ family }: { family: FamilyDetails }) {
  // A capability URL: it shows the balance and how to pay, without a login.
  const payLink = `${window.location.origin}/pay/${family.payToken}`;
  const replaceLink = useReplacePayLink();
  return (
    <>
      <DescriptionList
        items={[
          { name: 'Payment link', value: <span className={classes.link}>{payLink}</span> },
          { name: 'Reference', value: family.reference },
        ]}
      />
      <div className={classes.copy}>
        <CopyButton text={payLink} itemName={family.name} label="Copy payment link" />
        <ReplacePaymentLinkButton
          isReplacing={replaceLink.isPending}
          onReplace={(callbacks) => replaceLink.mutate(family.id, callbacks)}
        />
      </div>
      <p className={contactClasses.links}>
        <Link to="/payment-methods">Card payments</Link>
        <Link to="/settings/business">Bank details</Link>
      </p>
    </>
  );
}
