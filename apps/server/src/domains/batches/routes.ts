import { batches } from '@lessonbook/contract/invoice-and-reminder-batches';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { listBatches, readBatch, retryBatch, startBatch, stopBatch } from './service/batches.ts';
import { previewInvoiceBatch } from './service/preview-sending-invoices.ts';

export function batchRoutes(http: HttpServer, context: Context): void {
  http.on(batches.startBatch, ({ login, body, idempotencyKey }) =>
    startBatch(context, login.tutorId, body, idempotencyKey),
  );
  http.on(batches.listBatches, ({ login }) => listBatches(context, login.tutorId));
  http.on(batches.previewInvoiceBatch, ({ login, body }) =>
    previewInvoiceBatch(context, login.tutorId, body.ids),
  );
  http.on(batches.batch, ({ login, params }) => readBatch(context, login.tutorId, params.id));
  http.on(batches.stopBatch, ({ login, params }) => stopBatch(context, login.tutorId, params.id));
  http.on(batches.retryBatch, ({ login, params }) => retryBatch(context, login.tutorId, params.id));
}
