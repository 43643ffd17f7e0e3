import type { Act } from '@lessonbook/contract/activity';
import { takeIds } from './counters.ts';
import type { Tx } from './db.ts';
import { deviceInWords } from './device.ts';
import { withoutHost } from './rate-limit.ts';
import { visitorNow } from './visitor.ts';

/** Numbers and short words of our own making: no secret, no address, nobody's name. */
export type Facts = Readonly<Record<string, string | number>>;

/** Writes a sensitive act down, real with the change it is about; whoever sits at the device is known from the request,
 * unless somebody else did it. */
export async function audit(
  tx: Tx,
  tutorId: string,
  entry: { act: Act; at: Date; facts?: Facts; byStrangers?: true },
): Promise<void> {
  const visitor = entry.byStrangers ? undefined : visitorNow();
  const [id] = (await takeIds(tx, tutorId, 'audit')) as [number];
  await tx
    .insertInto('audit_log')
    .values({
      tutor_id: tutorId,
      id,
      occurred_at: entry.at,
      action: entry.act,
      metadata: JSON.stringify(entry.facts ?? {}),
      device: visitor ? deviceInWords(visitor.userAgent) : null,
      network: visitor ? withoutHost(visitor.network) : null,
    })
    .execute();
}
