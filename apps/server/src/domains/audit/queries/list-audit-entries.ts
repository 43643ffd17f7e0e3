import type { Tx } from '../../../platform/db/database.ts';

export const auditLogOf = (tx: Tx, tutorId: string, page: { limit: number; offset: number }) =>
  tx
    .selectFrom('audit_log')
    .where('tutor_id', '=', tutorId)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .select(['id', 'occurred_at as at', 'action', 'metadata', 'device', 'network']);
