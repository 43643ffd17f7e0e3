import { cards } from '@lessonbook/contract/cards';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import { changeDefaultMethod, connect, readDefaultMethod, readStatus } from './service/account.ts';
import { takeAccountEvent, takePaymentEvent } from './service/hear-provider.ts';

const SIGNATURE = 'stripe-signature';

export function cardRoutes(http: Http, context: Context): void {
  http.on(cards.cardStatus, ({ login }) => readStatus(context, login.tutorId));
  http.on(cards.createCardAccount, ({ login }) => connect(context, login.tutorId));
  http.on(cards.defaultMethod, ({ login }) => readDefaultMethod(context, login.tutorId));
  http.on(cards.saveDefaultMethod, ({ login, body }) =>
    changeDefaultMethod(context, login.tutorId, body.paymentMethod),
  );
  http.on(cards.accountEvents, ({ raw, header }) =>
    takeAccountEvent(context, raw, header(SIGNATURE)),
  );
  http.on(cards.paymentEvents, ({ raw, header }) =>
    takePaymentEvent(context, raw, header(SIGNATURE)),
  );
}
