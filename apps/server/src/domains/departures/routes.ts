import { departures } from '@lessonbook/contract/student-departures';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { previewDeparture, saveDeparture } from './service/departures.ts';

export function departureRoutes(http: HttpServer, context: Context): void {
  http.on(departures.previewDeparture, ({ login, body }) =>
    previewDeparture(context, login.tutorId, body),
  );
  http.on(departures.saveDeparture, ({ login, body, idempotencyKey }) =>
    saveDeparture(context, login.tutorId, body, idempotencyKey),
  );
}
