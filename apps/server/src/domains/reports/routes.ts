import { dashboard } from '@lessonbook/contract/dashboard';
import { offline } from '@lessonbook/contract/offline-snapshot';
import { reports } from '@lessonbook/contract/reports';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { readDashboard } from './service/dashboard.ts';
import { readEarnings } from './service/earnings.ts';
import { exportEarningsCsv, exportEarningsPdf } from './service/earnings-export.ts';
import { readOfflineSnapshot } from './service/offline-snapshot.ts';
import { readOnboardingProgress } from './service/onboarding.ts';

export function reportRoutes(http: HttpServer, context: Context): void {
  http.on(dashboard.dashboard, ({ login }) => readDashboard(context, login.tutorId));
  http.on(dashboard.onboardingProgress, ({ login }) =>
    readOnboardingProgress(context, login.tutorId),
  );
  http.on(offline.offlineSnapshot, ({ login }) => readOfflineSnapshot(context, login.tutorId));
  http.on(reports.earnings, ({ login, query }) =>
    readEarnings(context, login.tutorId, query.period),
  );
  http.onFile(reports.earningsCsv, ({ login, query }) =>
    exportEarningsCsv(context, login.tutorId, query.period),
  );
  http.onFile(reports.earningsPdf, ({ login, query, requestContext }) =>
    exportEarningsPdf(context, login.tutorId, query.period, requestContext),
  );
}
