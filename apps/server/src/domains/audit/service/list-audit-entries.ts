import type { AuditAction, AuditEntry } from '@lessonbook/contract/audit';
import type { Context } from '../../../context.ts';
import { auditLogOf } from '../queries/list-audit-entries.ts';
import { formatAuditAction, formatOrigin } from '../rules/audit-text.ts';

/** Newest first. */
export async function listAuditEntries(
  context: Context,
  tutorId: string,
  page: { limit: number; offset: number },
): Promise<{ entries: AuditEntry[] }> {
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [auditLogOf(tx, tutorId, page)]);
  return {
    entries: rows.map(({ id, at, action, metadata, device, network }) => ({
      id,
      at: at.toISOString(),
      action: action as AuditAction,
      text: formatAuditAction(action as AuditAction, metadata as Record<string, string | number>),
      from: formatOrigin(device, network),
    })),
  };
}
