import type { AuditAction } from '@lessonbook/contract/audit';
import type { Tx } from './db/database.ts';
import { nextIdsForKind } from './db/tutor-scoped-ids.ts';
import { maskIp } from './http/client-network.ts';
import { currentRequestContext } from './http/request-context.ts';
import { describeUserAgent } from './http/user-agent.ts';

/** Contains only numbers and short constants: no secrets, addresses or names. */
type AuditMetadata = Readonly<Record<string, string | number>>;

interface NewAuditEntry {
  action: AuditAction;
  at: Date;
  metadata?: AuditMetadata;
  /** Omits the device and network, for requests made by someone other than the account's owner. */
  omitRequestContext?: true;
}

/**
 * Records a sensitive action within the transaction that makes the change, with the device and network of the current
 * request.
 */
export async function recordAudit(tx: Tx, tutorId: string, entry: NewAuditEntry): Promise<void> {
  const requestContext = entry.omitRequestContext ? undefined : currentRequestContext();
  const [id] = (await nextIdsForKind(tx, tutorId, 'audit')) as [number];
  await tx
    .insertInto('audit_log')
    .values({
      tutor_id: tutorId,
      id,
      occurred_at: entry.at,
      action: entry.action,
      metadata: JSON.stringify(entry.metadata ?? {}),
      device: requestContext ? describeUserAgent(requestContext.userAgent) : null,
      network: requestContext ? maskIp(requestContext.network) : null,
    })
    .execute();
}
