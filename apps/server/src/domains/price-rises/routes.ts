import { priceRises } from '@lessonbook/contract/price-rises';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { previewPriceRise, savePriceRise } from './service/price-rises.ts';

export function priceRiseRoutes(http: HttpServer, context: Context): void {
  http.on(priceRises.previewPriceRise, ({ login, body }) =>
    previewPriceRise(context, login.tutorId, body),
  );
  http.on(priceRises.savePriceRise, ({ login, body, idempotencyKey }) =>
    savePriceRise(context, login.tutorId, body, idempotencyKey),
  );
}
