import type { AuditAction } from '@lessonbook/contract/audit';
import { sql } from 'kysely';
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
 * request. They are omitted for the demo account, because any visitor can read its log.
 */
export async function recordAudit(tx: Tx, tutorId: string, entry: NewAuditEntry): Promise<void> {
  const requestContext = entry.omitRequestContext ? undefined : currentRequestContext();
  const unlessDemo = (value: string | undefined) =>
    sql<string | null>`case when exists (
      select 1 from login_directory where tutor_id = ${tutorId} and is_demo
    ) then null else ${value ?? null}::text end`;
  const [id] = (await nextIdsForKind(tx, tutorId, 'audit')) as [number];
  await tx
    .insertInto('audit_log')
    .values({
      tutor_id: tutorId,
      id,
      occurred_at: entry.at,
      action: entry.action,
      metadata: JSON.stringify(entry.metadata ?? {}),
      device: unlessDemo(requestContext && describeUserAgent(requestContext.userAgent)),
      network: unlessDemo(requestContext && maskIp(requestContext.network)),
    })
    .execute();
}
