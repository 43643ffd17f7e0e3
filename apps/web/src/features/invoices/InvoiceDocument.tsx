import { HOLD_REASON_LABELS } from '@lessonbook/contract/invoice-labels';
import type { Invoice } from '@lessonbook/contract/invoices';
import { formatDateAndMethod } from '@lessonbook/contract/payment-method-labels';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { formatAmount, formatDateWithYear } from '../../lib/format.ts';
import { toBankDetailRows } from './bank-detail-rows.ts';
import classes from './InvoiceDocument.module.css';
import { groupByStudent } from './invoice-lines.ts';

/**
 * The invoice as printed: tutor on the left, number and dates on the right, then lines by child, total and bank
 * details.
 */
export function InvoiceDocument({ invoice }: { invoice: Invoice }) {
  const { parties, kind, currency } = invoice;
  const name = kind === 'invoice' ? 'Invoice' : 'Credit note';
  return (
    <article className={classes.document} aria-label={`${name} ${invoice.number ?? 'preview'}`}>
      <header className={classes.head}>
        <div>
          <p className={classes.from}>{parties.from.name}</p>
          <AddressLines lines={[parties.from.address, parties.from.email, parties.from.phone]} />
          <AddressLines lines={[parties.from.extra]} />
        </div>
        <div>
          <p className={classes.kind}>{name}</p>
          <DocumentDetails invoice={invoice} />
        </div>
      </header>
      {invoice.state === 'void' && <p className={classes.void}>Void: nothing is due.</p>}
      <section className={classes.to}>
        <small>{kind === 'invoice' ? 'Billed to' : 'Credited to'}</small>
        <p>
          <b>{parties.to.name}</b>
        </p>
        <AddressLines lines={[parties.to.address]} />
      </section>
      <LinesTable invoice={invoice} />
      <div className={classes.total}>
        <span>Total</span>
        <b>{formatAmount(invoice.total, currency, true)}</b>
      </div>
      {kind === 'invoice' && <PaymentSummary invoice={invoice} />}
      {kind === 'invoice' && invoice.state !== 'void' && parties.bank && (
        <section className={classes.bank}>
          <h3>How to pay</h3>
          <DescriptionList
            items={[
              ...toBankDetailRows(parties.bank),
              { name: 'Reference', value: parties.reference },
            ]}
          />
        </section>
      )}
      {invoice.note && <p className={classes.note}>{invoice.note}</p>}
    </article>
  );
}

function DocumentDetails({ invoice }: { invoice: Invoice }) {
  const { number, issuedOn, dueOn, kind, corrects } = invoice;
  return (
    <dl className={classes.dates}>
      <dt>Number</dt>
      <dd>{number ?? 'Draft'}</dd>
      <dt>Date</dt>
      <dd>{issuedOn ? formatDateWithYear(issuedOn) : 'Date of issue'}</dd>
      {kind === 'invoice' && (
        <>
          <dt>Due</dt>
          <dd>{dueOn ? formatDateWithYear(dueOn) : 'From your payment terms'}</dd>
        </>
      )}
      {corrects && (
        <>
          <dt>Corrects invoice</dt>
          <dd>{corrects.number}</dd>
        </>
      )}
    </dl>
  );
}

function LinesTable({ invoice }: { invoice: Invoice }) {
  return (
    <table className={classes.lines}>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">For</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      {groupByStudent(invoice.lines).map(({ name, lines }) => (
        <tbody key={name ?? ''}>
          {name && (
            <tr>
              <th scope="rowgroup" colSpan={3}>
                {name}
              </th>
            </tr>
          )}
          {lines.map((line) => (
            <tr key={line.position}>
              <td>{formatDateWithYear(line.date)}</td>
              <td>{line.description}</td>
              <td>{formatAmount(line.amount, invoice.currency, true)}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** The amounts paid, credited, on hold and still due. Hidden while the total is the only amount. */
function PaymentSummary({ invoice }: { invoice: Invoice }) {
  const { payments, credited, writtenOff, creditNotes, due, onHold, holdReason, currency, state } =
    invoice;
  if (state === 'void' || (payments.length === 0 && credited === 0 && onHold === 0)) return null;
  // Amounts that were no longer owed when the invoice was issued have no credit note.
  const otherCredit =
    credited - writtenOff - creditNotes.reduce((sum, { total }) => sum + total, 0);
  const rows = [
    ...creditNotes.map(({ number, total }) => ({ name: `Credit note ${number}`, amount: total })),
    { name: 'No longer owed', amount: otherCredit },
    { name: 'Written off', amount: writtenOff },
    ...payments.map(({ date, method, amount }) => ({
      name: `Paid ${formatDateAndMethod(formatDateWithYear(date), method)}`,
      amount,
    })),
    { name: HOLD_REASON_LABELS[holdReason ?? 'refund'], amount: onHold },
  ].filter((row) => row.amount > 0);
  return (
    <dl className={classes.payments}>
      {[...rows, { name: 'To pay', amount: due - onHold }].map((row, index) => (
        <div key={index}>
          <dt>{row.name}</dt>
          <dd>{formatAmount(row.amount, currency, true)}</dd>
        </div>
      ))}
    </dl>
  );
}

const AddressLines = ({ lines }: { lines: (string | null)[] }) => (
  <p className={classes.address}>{lines.filter(Boolean).join('\n')}</p>
);
