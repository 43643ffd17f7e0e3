import { dayChanges } from '@lessonbook/contract/move-online-or-cancel-days';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { changeDays, listDayChanges, previewDayChange } from './service/change-days.ts';
import { undoDayChange } from './service/undo-day-change.ts';

export function dayChangeRoutes(http: HttpServer, context: Context): void {
  http.on(dayChanges.listDayChanges, ({ login }) => listDayChanges(context, login.tutorId));
  http.on(dayChanges.previewDayChange, ({ login, body }) =>
    previewDayChange(context, login.tutorId, body),
  );
  http.on(dayChanges.changeDays, ({ login, body, idempotencyKey }) =>
    changeDays(context, login.tutorId, body, idempotencyKey),
  );
  http.on(dayChanges.undoDayChange, ({ login, params }) =>
    undoDayChange(context, login.tutorId, params.id),
  );
}
