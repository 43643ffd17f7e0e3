import { calendar } from '@lessonbook/contract/calendar';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { handleOAuthCallback, readStatus, startOAuth } from './service/connect.ts';
import { disconnect } from './service/disconnect.ts';
import {
  acceptExternalChange,
  listExternalChanges,
  revertExternalChange,
} from './service/external-changes.ts';
import { readFeed, rotateFeedUrl, showFeedUrl } from './service/ics-feed.ts';
import { handlePushNotification } from './service/watch-channel.ts';

export function calendarRoutes(http: HttpServer, context: Context): void {
  http.on(calendar.calendarStatus, ({ login }) => readStatus(context, login.tutorId));
  http.on(calendar.connectCalendar, ({ login }) => startOAuth(context, login));
  http.onRedirect(calendar.calendarOAuthCallback, ({ login, query }) =>
    handleOAuthCallback(context, login, query),
  );
  http.on(calendar.disconnectCalendar, ({ login }) => disconnect(context, login.tutorId));
  http.on(calendar.calendarWebhook, ({ header }) =>
    handlePushNotification(context, {
      channelId: header('x-goog-channel-id'),
      token: header('x-goog-channel-token'),
    }),
  );
  http.on(calendar.listExternalChanges, ({ login, query }) =>
    listExternalChanges(context, login.tutorId, query.session),
  );
  http.on(calendar.acceptExternalChange, ({ login, params, body }) =>
    acceptExternalChange(context, login.tutorId, params.id, body.acceptOverlaps),
  );
  http.on(calendar.revertExternalChange, ({ login, params }) =>
    revertExternalChange(context, login.tutorId, params.id),
  );
}

export function icsFeedRoutes(http: HttpServer, context: Context): void {
  http.on(calendar.showFeed, ({ login }) => showFeedUrl(context, login.tutorId));
  http.on(calendar.replaceFeed, ({ login }) => rotateFeedUrl(context, login.tutorId));
  http.onEtagFile(calendar.readFeed, ({ params }) => readFeed(context, params.token));
}
