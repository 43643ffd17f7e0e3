import { dashboard } from '@lessonbook/contract/dashboard';
import { offline } from '@lessonbook/contract/offline-snapshot';
import { reports } from '@lessonbook/contract/reports';
import { studentOverview } from '@lessonbook/contract/student-overview-and-timeline';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { readDashboard } from './service/dashboard.ts';
import { readEarnings } from './service/earnings.ts';
import { exportEarningsCsv, exportEarningsPdf } from './service/earnings-export.ts';
import {
  exportLessonsCsv,
  listSessionsInReport,
  readLessonReport,
} from './service/lesson-report.ts';
import { readNavigationCounts } from './service/navigation-counts.ts';
import { readOfflineSnapshot } from './service/offline-snapshot.ts';
import { readOnboardingProgress } from './service/onboarding.ts';
import { listStudentItems } from './service/student-list.ts';
import { readStudentOverview } from './service/student-overview.ts';
import { readStudentTimeline } from './service/student-timeline.ts';

export function reportRoutes(http: HttpServer, context: Context): void {
  http.on(dashboard.dashboard, ({ login }) => readDashboard(context, login.tutorId));
  http.on(dashboard.onboardingProgress, ({ login }) =>
    readOnboardingProgress(context, login.tutorId),
  );
  http.on(dashboard.navigationCounts, ({ login }) => readNavigationCounts(context, login.tutorId));
  http.on(offline.offlineSnapshot, ({ login }) => readOfflineSnapshot(context, login.tutorId));
  http.on(studentOverview.studentList, ({ login, query }) =>
    listStudentItems(context, login.tutorId, query),
  );
  http.on(studentOverview.studentOverview, ({ login, params }) =>
    readStudentOverview(context, login.tutorId, params.id),
  );
  http.on(studentOverview.studentTimeline, ({ login, params, query }) =>
    readStudentTimeline(context, login.tutorId, params.id, query),
  );
  http.on(reports.earnings, ({ login, query }) => readEarnings(context, login.tutorId, query));
  http.onFile(reports.earningsCsv, ({ login, query }) =>
    exportEarningsCsv(context, login.tutorId, query),
  );
  http.onFile(reports.earningsPdf, ({ login, query, requestContext }) =>
    exportEarningsPdf(context, login.tutorId, query, requestContext),
  );
  http.on(reports.lessonReport, ({ login, query }) =>
    readLessonReport(context, login.tutorId, query),
  );
  http.on(reports.sessionsInReport, ({ login, query }) =>
    listSessionsInReport(context, login.tutorId, query),
  );
  http.onFile(reports.lessonsCsv, ({ login, query }) =>
    exportLessonsCsv(context, login.tutorId, query),
  );
}
