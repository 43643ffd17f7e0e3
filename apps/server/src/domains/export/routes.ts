import { dataExport } from '@lessonbook/contract/data-export';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { downloadExport, readExport, requestExport } from './service/exports.ts';

export function exportRoutes(http: HttpServer, context: Context): void {
  http.on(dataExport.latestExport, ({ login }) => readExport(context, login.tutorId));
  http.on(dataExport.requestExport, ({ login }) => requestExport(context, login.tutorId));
  http.onFile(dataExport.downloadExport, ({ login, params }) =>
    downloadExport(context, login.tutorId, params.id),
  );
}
