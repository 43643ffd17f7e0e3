import type { FakeStripe } from '@lessonbook/fakes/stripe';
import type pg from 'pg';

/** Where our book and the provider's differ, payment by payment, to the penny; read without our own code between. */
export async function cardDifferences(
  adminDb: pg.Pool,
  control: FakeStripe['control'],
  accountIds: readonly string[],
): Promise<string[]> {
  const { rows } = await adminDb.query<{ stripe_session_id: string; paid: number; back: number }>(
    `select c.stripe_session_id, coalesce(p.amount, 0) as paid, coalesce(p.refunded, 0) as back
     from checkouts c left join payments p on p.tutor_id = c.tutor_id and p.id = c.payment_id`,
  );
  const ours = new Map(rows.map((row) => [row.stripe_session_id, `${row.paid} less ${row.back}`]));
  const differences: string[] = [];
  for (const accountId of accountIds) {
    const [books] = await control.report(accountId);
    for (const each of books?.payments ?? []) {
      const paid = each.state === 'paid' ? each.amount : 0;
      const disputed = (books?.disputes ?? [])
        .filter((dispute) => dispute.chargeId === each.chargeId && dispute.status !== 'won')
        .reduce((sum, dispute) => sum + dispute.amount, 0);
      const theirs = `${paid} less ${Math.min(paid, each.amountRefunded + disputed)}`;
      // Whoever died between opening a page there and noting it has given its address to nobody: no money can come by it.
      const mine = ours.get(each.sessionId) ?? '0 less 0';
      if (mine !== theirs) differences.push(`${each.sessionId}: ${theirs}, in our book ${mine}`);
    }
  }
  return differences;
}
