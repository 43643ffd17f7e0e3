import { lessonLabel } from '@lessonbook/contract/lesson-names';
import type {
  DayAction,
  DayChangePreview,
  DayUnchangedReason,
  PlannedNotice,
} from '@lessonbook/contract/move-online-or-cancel-days';
import { Checkbox } from '../../components/Checkbox.tsx';
import { formatList, formatShortDate, formatTime, pluralize } from '../../lib/format.ts';
import noticeClasses from './DayChangePreview.module.css';
import classes from './SessionsDuringTimeOff.module.css';

interface Props {
  /** Undefined while it loads. */
  preview: DayChangePreview | undefined;
  action: DayAction;
  keptIds: ReadonlySet<number>;
  today: string;
  onKeptIdsChange: (kept: ReadonlySet<number>) => void;
}

/** The lessons that change. A lesson that is not ticked stays as it is. */
export function DayChangeLessons({ preview, action, keptIds, today, onKeptIdsChange }: Props) {
  function toggle(id: number, changes: boolean) {
    const next = new Set(keptIds);
    if (changes) next.delete(id);
    else next.add(id);
    onKeptIdsChange(next);
  }
  return (
    <div className={classes.box}>
      <p role="status">{preview ? formatImpact(preview, action, keptIds) : 'Counting...'}</p>
      {preview && preview.sessions.length > 0 && (
        <ul>
          {preview.sessions.map((session) => (
            <li key={session.id}>
              <label className={classes.row}>
                <Checkbox
                  checked={!keptIds.has(session.id)}
                  onChange={(changes) => toggle(session.id, changes)}
                />
                <span className={classes.date}>
                  {formatShortDate(session.date, today)}, {formatTime(session.startTime)}
                </span>
                <span className={classes.title}>{lessonLabel(session)}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const REASONS: Record<DayUnchangedReason, string> = {
  cancelled: 'already cancelled',
  moved: 'moved',
  completed: 'completed',
  over: 'already over',
  online: 'already online',
};

function formatImpact(
  { sessions, unchanged }: DayChangePreview,
  action: DayAction,
  keptIds: ReadonlySet<number>,
): string {
  const kept = sessions.filter(({ id }) => keptIds.has(id)).length;
  const changed = sessions.length - kept;
  const result = action === 'online' ? 'will be online' : 'will be cancelled free of charge';
  const others = [
    ...(kept > 0 ? [`${kept} you're keeping`] : []),
    ...unchanged.map(({ reason, count }) => `${count} ${REASONS[reason]}`),
  ];
  const total = kept + unchanged.reduce((sum, { count }) => sum + count, 0);
  return [
    changed === 0 ? 'No lessons will change.' : `${pluralize(changed, 'lesson')} ${result}.`,
    total > 0 &&
      `${pluralize(total, 'lesson stays as it is', 'lessons stay as they are')}: ${formatList(others)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Who gets a message, with its text, and who can't be reached. */
export function DayChangeNotices({ notices }: { notices: readonly PlannedNotice[] }) {
  const emailed = notices.filter(({ problem, channel }) => problem === null && channel === 'email');
  const drafts = notices.filter(
    ({ problem, channel }) => problem === null && channel === 'whatsapp',
  );
  const unreachable = notices.filter(({ problem }) => problem !== null);
  return (
    <section className={noticeClasses.notices} aria-label="Messages to families">
      <Group title={`${pluralize(emailed.length, 'email')} to families`} notices={emailed} />
      {drafts.length > 0 && (
        <Group
          title={`${pluralize(drafts.length, 'message')} for you to send in WhatsApp`}
          notices={drafts}
        />
      )}
      {unreachable.length > 0 && (
        <>
          <p>
            {pluralize(unreachable.length, "person can't be reached", "people can't be reached")}
          </p>
          <ul>
            {unreachable.map(({ toName, problem }) => (
              <li key={toName} className={noticeClasses.problem}>
                {problem}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Group({ title, notices }: { title: string; notices: readonly PlannedNotice[] }) {
  return (
    <>
      <p>{title}</p>
      {notices.map(({ toName, address, students, text }) => (
        <details key={`${toName} ${address}`}>
          <summary>
            {toName} ({formatList(students)}), {address}
          </summary>
          <p>{text}</p>
        </details>
      ))}
    </>
  );
}
