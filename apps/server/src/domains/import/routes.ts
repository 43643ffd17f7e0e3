import { imports } from '@lessonbook/contract/import';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { importFile, previewImport } from './service/import.ts';

export function importRoutes(http: HttpServer, context: Context): void {
  http.on(imports.previewImport, ({ login, body }) => previewImport(context, login.tutorId, body));
  http.on(imports.importFile, ({ login, body, idempotencyKey }) =>
    importFile(context, login.tutorId, body, idempotencyKey),
  );
}
