import type { AuditAction } from '@lessonbook/contract/audit';
import type { Tx } from './db/database.ts';
import { nextIds } from './db/id-sequence.ts';
import { maskIp } from './http/rate-limiter.ts';
import { currentRequestContext } from './http/request-context.ts';
import { describeUserAgent } from './http/user-agent.ts';

/** Numbers and short words of our own making: no secret, no address, nobody's name. */
export type AuditMetadata = Readonly<Record<string, string | number>>;

/** Writes a sensitive act down, real with the change it is about; whoever sits at the device is known from the request,
 * unless somebody else did it. */
export async function recordAudit(
  tx: Tx,
  tutorId: string,
  entry: { act: AuditAction; at: Date; facts?: AuditMetadata; byStrangers?: true },
): Promise<void> {
  const requestContext = entry.byStrangers ? undefined : currentRequestContext();
  const [id] = (await nextIds(tx, tutorId, 'audit')) as [number];
  await tx
    .insertInto('audit_log')
    .values({
      tutor_id: tutorId,
      id,
      occurred_at: entry.at,
      action: entry.act,
      metadata: JSON.stringify(entry.facts ?? {}),
      device: requestContext ? describeUserAgent(requestContext.userAgent) : null,
      network: requestContext ? maskIp(requestContext.network) : null,
    })
    .execute();
}
