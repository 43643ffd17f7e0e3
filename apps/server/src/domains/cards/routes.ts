import { cards } from '@lessonbook/contract/card-payments';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { changeDefaultMethod, connect, readDefaultMethod, readStatus } from './service/account.ts';
import { receiveAccountEvent, receivePaymentEvent } from './service/webhooks.ts';

const SIGNATURE_HEADER = 'stripe-signature';

export function cardRoutes(http: HttpServer, context: Context): void {
  http.on(cards.cardStatus, ({ login }) => readStatus(context, login.tutorId));
  http.on(cards.createCardAccount, ({ login }) => connect(context, login.tutorId));
  http.on(cards.defaultMethod, ({ login }) => readDefaultMethod(context, login.tutorId));
  http.on(cards.saveDefaultMethod, ({ login, body }) =>
    changeDefaultMethod(context, login.tutorId, body),
  );
  http.on(cards.accountWebhook, ({ rawBody, header }) =>
    receiveAccountEvent(context, rawBody, header(SIGNATURE_HEADER)),
  );
  http.on(cards.paymentWebhook, ({ rawBody, header }) =>
    receivePaymentEvent(context, rawBody, header(SIGNATURE_HEADER)),
  );
}
