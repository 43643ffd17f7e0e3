import type { PublicBill } from '@lessonbook/contract/bills';
import type { BankDetails } from '@lessonbook/contract/business';
import { toMajor } from '@lessonbook/contract/money';
import { CopyButton } from '../../components/CopyButton.tsx';
import { money } from '../../lib/format.ts';
import classes from './BankBlock.module.css';
import { bankFacts } from './bank-facts.ts';

interface Props {
  heading: string;
  bank: BankDetails;
  amounts: PublicBill['amounts'];
  reference: string;
}

/** Everything a bank's form asks for, each with its own Copy. */
export function BankBlock({ heading, bank, amounts, reference }: Props) {
  const rows = [
    ...bankFacts(bank).map((fact) => ({ ...fact, copied: fact.value })),
    ...amounts.map(({ currency, due }) => ({
      name: amounts.length > 1 ? `Amount in ${currency}` : 'Amount',
      value: money(due, currency, true),
      // Banks want the number alone.
      copied: toMajor(due).toFixed(2),
    })),
    { name: 'Reference', value: reference, copied: reference },
  ];
  return (
    <section className={classes.bank} aria-labelledby="bank">
      <h2 id="bank">{heading}</h2>
      <dl>
        {rows.map(({ name, value, copied }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span>{value}</span>
              <CopyButton text={copied} of={name} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
