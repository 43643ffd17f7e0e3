import { audit } from '@lessonbook/contract/audit';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { listAuditEntries } from './service/list-audit-entries.ts';

export function auditRoutes(http: HttpServer, context: Context): void {
  http.on(audit.listAuditEntries, ({ login, query }) =>
    listAuditEntries(context, login.tutorId, query),
  );
}
