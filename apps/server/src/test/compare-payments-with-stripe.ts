import type { FakeStripe } from '@lessonbook/fakes/stripe';
import type pg from 'pg';

/** Compares the payments in the database with those in the fake Stripe, without using server code. */
export async function findCardDifferences(
  adminDb: pg.Pool,
  control: FakeStripe['control'],
  accountIds: readonly string[],
): Promise<string[]> {
  const { rows } = await adminDb.query<{
    stripe_session_id: string;
    paid: number;
    refunded: number;
  }>(
    `select c.stripe_session_id, coalesce(p.amount, 0) as paid, coalesce(p.refunded, 0) as refunded
     from checkouts c left join payments p on p.tutor_id = c.tutor_id and p.id = c.payment_id`,
  );
  const ours = new Map(
    rows.map((row) => [row.stripe_session_id, `${row.paid} less ${row.refunded}`]),
  );
  const differences: string[] = [];
  for (const accountId of accountIds) {
    const [report] = await control.report(accountId);
    for (const each of report?.payments ?? []) {
      const paid = each.state === 'paid' ? each.amount : 0;
      const disputed = (report?.disputes ?? [])
        .filter((dispute) => dispute.chargeId === each.chargeId && dispute.status !== 'won')
        .reduce((sum, dispute) => sum + dispute.amount, 0);
      const theirs = `${paid} less ${Math.min(paid, each.amountRefunded + disputed)}`;
      // If a process died before storing the checkout, the payer never received the URL, so nothing can have been paid.
      const stored = ours.get(each.sessionId) ?? '0 less 0';
      if (stored !== theirs)
        differences.push(`${each.sessionId}: ${theirs} in Stripe, ${stored} in the database`);
    }
  }
  return differences;
}
