import { calendar } from '@lessonbook/contract/calendar';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import { beginConsent, disconnect, endConsent, readStatus } from './service/connect.ts';
import { readFeed, readFeedAddress, replaceFeedAddress } from './service/feed.ts';
import { acceptProposal, listProposals, putBack } from './service/proposals.ts';
import { takeNews } from './service/watch.ts';

export function calendarRoutes(http: Http, context: Context): void {
  http.on(calendar.calendarStatus, ({ login }) => readStatus(context, login.tutorId));
  http.on(calendar.connectCalendar, ({ login }) => beginConsent(context, login));
  http.onRedirect(calendar.calendarConsent, ({ login, query }) =>
    endConsent(context, login, query),
  );
  http.on(calendar.disconnectCalendar, ({ login }) => disconnect(context, login.tutorId));
  http.on(calendar.calendarNews, ({ header }) =>
    takeNews(context, {
      channelId: header('x-goog-channel-id'),
      token: header('x-goog-channel-token'),
    }),
  );
  http.on(calendar.calendarProposals, ({ login, query }) =>
    listProposals(context, login.tutorId, query.session),
  );
  http.on(calendar.acceptProposal, ({ login, params, body }) =>
    acceptProposal(context, login.tutorId, params.id, body.acceptOverlaps),
  );
  http.on(calendar.putBackProposal, ({ login, params }) =>
    putBack(context, login.tutorId, params.id),
  );
}

export function feedRoutes(http: Http, context: Context): void {
  http.on(calendar.calendarFeed, ({ login }) => readFeedAddress(context, login.tutorId));
  http.on(calendar.replaceFeed, ({ login }) => replaceFeedAddress(context, login.tutorId));
  http.onTaggedFile(calendar.readFeed, ({ params }) => readFeed(context, params.token));
}
