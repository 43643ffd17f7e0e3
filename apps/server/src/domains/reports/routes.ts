import { offline } from '@lessonbook/contract/offline';
import { reports } from '@lessonbook/contract/reports';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import { readDashboard } from './service/dashboard.ts';
import { readEarnings } from './service/earnings.ts';
import { earningsCsv, earningsPdf } from './service/export.ts';
import { readFirstSteps } from './service/first-steps.ts';
import { readOfflineBook } from './service/offline-book.ts';

export function reportRoutes(http: Http, context: Context): void {
  http.on(reports.dashboard, ({ login }) => readDashboard(context, login.tutorId));
  http.on(reports.firstSteps, ({ login }) => readFirstSteps(context, login.tutorId));
  http.on(offline.offlineBook, ({ login }) => readOfflineBook(context, login.tutorId));
  http.on(reports.earnings, ({ login, query }) =>
    readEarnings(context, login.tutorId, query.period),
  );
  http.onFile(reports.earningsCsv, ({ login, query }) =>
    earningsCsv(context, login.tutorId, query.period),
  );
  http.onFile(reports.earningsPdf, ({ login, query }) =>
    earningsPdf(context, login.tutorId, query.period),
  );
}
