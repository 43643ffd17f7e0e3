export interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** Wall time and processor time, in microseconds. */
  dur?: number;
  tdur?: number;
}

const isTask = ({ name, ph }: TraceEvent): boolean =>
  ph === 'X' && /^(ThreadControllerImpl::)?RunTask$/.test(name);

/**
 * Shortens each task of a trace, with the events in it, to the processor time that it used. On a machine with two cores, the
 * browser's own processes and the server interrupt the page, and Lighthouse would attribute that time to the page.
 */
export function toProcessorTime(events: readonly TraceEvent[]): TraceEvent[] {
  const byThread = Map.groupBy(events, ({ pid, tid }) => `${pid}:${tid}`);
  return [...byThread.values()].flatMap(shortenTasks);
}

function shortenTasks(events: readonly TraceEvent[]): TraceEvent[] {
  const tasks = events.filter(isTask).toSorted((a, b) => a.ts - b.ts);
  let index = 0;
  return events
    .toSorted((a, b) => a.ts - b.ts)
    .map((event) => {
      while (index < tasks.length - 1 && (tasks[index + 1] as TraceEvent).ts <= event.ts)
        index += 1;
      const task = tasks[index];
      if (!task || event.ts < task.ts || event.ts > task.ts + (task.dur ?? 0)) return event;
      const share = processorShare(task);
      const ts = Math.round(task.ts + (event.ts - task.ts) * share);
      return event.dur === undefined
        ? { ...event, ts }
        : { ...event, ts, dur: Math.floor(event.dur * share) };
    });
}

/** 1 if the trace does not contain the processor time of the task. */
const processorShare = ({ dur = 0, tdur }: TraceEvent): number =>
  tdur === undefined || dur === 0 ? 1 : Math.min(1, tdur / dur);
